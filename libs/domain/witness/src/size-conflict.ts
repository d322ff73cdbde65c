import { WitnessError } from './witness-error.ts';

/** The content type of a reply that tells the size a witness has cosigned last. */
export const SIZE_CONTENT_TYPE = 'text/x.tlog.size';

/** The body of a 409: the size that a witness has cosigned last. */
export function formatSize(size: number): string {
  return `${size}\n`;
}

/** Reads it. Throws `WitnessError`. */
export function parseSize(text: string): number {
  const [, digits] = /^(0|[1-9][0-9]*)\n$/.exec(text) ?? [];
  const size = Number(digits);
  if (digits === undefined || !Number.isSafeInteger(size)) throw new WitnessError('the reply is not a tree size');
  return size;
}
