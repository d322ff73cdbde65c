import { create } from 'qrcode';

const SVG = 'http://www.w3.org/2000/svg';
/** Modules of white around the code, as its standard demands. */
const QUIET = 4;

/** A QR code of a text as a picture that prints sharply in any size. */
export function drawQrCode(text: string, label: string): SVGSVGElement {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  const squares: string[] = [];
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++)
      if (data[row * size + column] === 1) squares.push(`M${column + QUIET} ${row + QUIET}h1v1h-1z`);
  const svg = document.createElementNS(SVG, 'svg');
  const side = size + 2 * QUIET;
  for (const [name, value] of Object.entries({ viewBox: `0 0 ${side} ${side}`, role: 'img', class: 'qr' }))
    svg.setAttribute(name, value);
  svg.setAttribute('aria-label', label);
  svg.append(shape('rect', { width: String(side), height: String(side), fill: '#fff' }));
  svg.append(shape('path', { d: squares.join(''), fill: '#000' }));
  return svg;
}

function shape(name: 'rect' | 'path', attributes: Readonly<Record<string, string>>): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}
