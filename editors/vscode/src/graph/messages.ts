/** What the extension and the view tell each other. */

import { Flow, Range } from './contract';

export type ImageFormat = 'svg' | 'png';

export type ToView =
  | { type: 'show'; uri: string; file: string; flows: Flow[]; flow: number }
  | { type: 'select'; flow: number; part: string | null }
  | { type: 'export'; format: ImageFormat; request: number }
  /** The document has no flow that can be read at the moment: what is shown is of before. */
  | { type: 'stale'; reason: string };

export type ToExtension =
  | { type: 'ready' }
  | { type: 'open'; uri: string; range: Range; focus: boolean }
  | { type: 'chosen'; flow: number }
  | { type: 'wantsExport'; format: ImageFormat }
  /** `data`: the text of an SVG, a PNG in base 64. */
  | { type: 'exported'; request: number; format: ImageFormat; data: string }
  | { type: 'failed'; message: string };
