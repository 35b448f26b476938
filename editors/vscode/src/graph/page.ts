/** The page of the view. Only our own scripts and styles run in it, and nothing is fetched from elsewhere. */

export interface PageParts {
  cspSource: string;
  nonce: string;
  script: string;
  style: string;
  engine: string;
}

export function pageOf({ cspSource, nonce, script, style, engine }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    // The layout engine is fetched from the extension and runs as a worker; PNGs are made of SVGs.
    `connect-src ${cspSource}`,
    'worker-src blob:',
    'img-src blob:',
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>Flow graph</title>
</head>
<body data-engine="${engine}">
<header id="tools" role="toolbar" aria-label="Flow graph">
<select id="flow" aria-label="Flow"></select>
<input id="query" type="search" placeholder="Find" aria-label="Find a node" aria-describedby="hits">
<span id="hits" role="status"></span>
<span class="grow"></span>
<button id="zoom-out" type="button" aria-label="Zoom out" title="Zoom out (-)">−</button>
<button id="fit" type="button" title="Show all of it (0)">Fit</button>
<button id="zoom-in" type="button" aria-label="Zoom in" title="Zoom in (+)">+</button>
<button id="toggle-outline" type="button" aria-expanded="false" aria-controls="outline">Outline</button>
<button id="export-svg" type="button" title="Save as SVG">SVG</button>
<button id="export-png" type="button" title="Save as PNG">PNG</button>
</header>
<p id="note" role="status" hidden></p>
<svg id="picture" role="group" aria-label="Flow graph"><g id="moved"><g id="playing" aria-hidden="true"></g></g></svg>
<nav id="outline" aria-label="Outline of the flow" hidden></nav>
<section id="details" aria-label="What is selected" hidden></section>
<p id="said" class="spoken" role="status"></p>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
