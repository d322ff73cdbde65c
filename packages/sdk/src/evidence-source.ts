import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { EvidenceFile } from '@answer-evidence/client';

/** What can be kept as evidence: the path of a file, bytes with a name, or an `EvidenceFile`. */
export type EvidenceSource =
  | string
  | { readonly name: string; readonly contentType?: string; readonly bytes: Uint8Array }
  | EvidenceFile;

/** The source as a file that is read once for each attempt. */
export function toEvidenceFile(source: EvidenceSource): EvidenceFile {
  if (typeof source === 'string') return { name: basename(source), open: () => createReadStream(source) };
  if (!('bytes' in source)) return source;
  const { bytes, ...named } = source;
  return {
    ...named,
    async *open() {
      yield await Promise.resolve(bytes);
    },
  };
}
