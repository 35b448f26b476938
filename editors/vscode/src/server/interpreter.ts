/** The Python that the user chose for the workspace, told by the Python extension if it is there. */

/** What of the Python extension's interface is used. */
export interface PythonExtension {
  environments: {
    getActiveEnvironmentPath(resource?: unknown): { id: string; path: string };
    resolveEnvironment(environment: {
      id: string;
      path: string;
    }): Promise<{ executable: { uri?: { fsPath: string } | undefined } } | undefined>;
    onDidChangeActiveEnvironmentPath(listener: () => void): { dispose(): void };
  };
}

export async function chosenInterpreter(
  extension: PythonExtension | null,
  resource: unknown,
): Promise<string | null> {
  if (extension === null) {
    return null;
  }
  const chosen = extension.environments.getActiveEnvironmentPath(resource);
  const resolved = await extension.environments.resolveEnvironment(chosen);
  return resolved?.executable.uri?.fsPath ?? null;
}

export function isPythonExtension(exports: unknown): exports is PythonExtension {
  const environments = (exports as Partial<PythonExtension> | undefined)?.environments;
  return typeof environments?.getActiveEnvironmentPath === 'function';
}
