/** The picture as a file of its own: styles are written into it, so it looks the same anywhere. */

import { Layout } from './layout';

const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'text-anchor',
  'opacity',
];
const SHARPNESS = 2;
const LARGEST_SIDE = 12_000;

export interface SvgFile {
  text: string;
  width: number;
  height: number;
}

/** The whole picture, wherever one has zoomed to. */
export function svgFile(group: SVGGElement, layout: Layout, title: string): SvgFile {
  const width = Math.ceil(layout.width);
  const height = Math.ceil(layout.height);
  const root = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const box = { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' };
  for (const [name, value] of Object.entries({ ...box, 'aria-label': title })) {
    root.setAttribute(name, String(value));
  }
  const ground = document.createElementNS(root.namespaceURI, 'rect');
  const colour = getComputedStyle(document.body).backgroundColor;
  for (const [name, value] of Object.entries({ width: '100%', height: '100%', fill: colour })) {
    ground.setAttribute(name, value);
  }
  root.append(ground, styled(group));
  return { text: new XMLSerializer().serializeToString(root), width, height };
}

/** A PNG in base 64. */
export async function pngFile(file: SvgFile): Promise<string> {
  const side = Math.max(file.width, file.height);
  const scale = Math.min(SHARPNESS, LARGEST_SIDE / side);
  const url = URL.createObjectURL(new Blob([file.text], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(file.width * scale);
    canvas.height = Math.ceil(file.height * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL('image/png').replace(/^data:image\/png;base64,/, '');
  } finally {
    URL.revokeObjectURL(url);
  }
}

function styled(group: SVGGElement): SVGGElement {
  const copy = group.cloneNode(true) as SVGGElement;
  const originals = [group, ...group.querySelectorAll<SVGElement>('*')];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  for (const [number, original] of originals.entries()) {
    const made = copies[number];
    if (made === undefined) {
      continue;
    }
    const computed = getComputedStyle(original);
    for (const name of STYLES) {
      const value = computed.getPropertyValue(name);
      if (value !== '') {
        made.setAttribute(name, value);
      }
    }
    for (const name of ['class', 'tabindex', 'role', 'data-id']) {
      made.removeAttribute(name);
    }
  }
  for (const hit of copies.filter((_, number) => originals[number]?.matches('.hit'))) {
    hit.remove();
  }
  return copy;
}
