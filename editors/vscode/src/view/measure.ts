/** How wide texts are in the fonts of the page. */

import { Measure, TextStyle } from './layout';

const SIZES: Record<TextStyle, string> = { name: '600 13px', kind: '11px', label: '11px' };

export function makeMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  const family = getComputedStyle(document.body).fontFamily;
  return (text, style) => {
    if (context === null) {
      return text.length * 8;
    }
    context.font = `${SIZES[style]} ${family}`;
    return Math.ceil(context.measureText(text).width);
  };
}
