import { formatPem } from '../certificates.ts';
import { bytes, pem, type Rows } from './parts.ts';

/** Rows of the rule. */
export const PEM: Rows = [
  [
    ['text around', pem((good) => `subject = root\n\n${good}\nnotes\n`)],
    ['two certificates', pem((good, { between: [above = bytes()] }) => formatPem(above) + good)],
    ['blank lines inside', pem((good) => good.replace('\n', '\n\n'))],
    ['spaces at the ends of lines', pem((good) => good.replaceAll('\n', '  \n'))],
    ['carriage returns', pem((good) => good.replaceAll('\n', '\r\n'))],
    ['one long line', pem((good) => good.replace(/(?<=[A-Za-z0-9+/=])\n(?=[A-Za-z0-9+/=])/g, ''))],
    ['no line feed at the end', pem((good) => good.trimEnd())],
  ],
  [],
];
