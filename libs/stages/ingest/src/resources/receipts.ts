import { formatBase64 } from '@answer-evidence/encoding';
import type { AppendedEntry } from '@answer-evidence/ledger';

/** Writes receipts of entries that were just appended, as JSON strings. */
type QuotedReceipts = (entry: Pick<AppendedEntry, 'leafIndex' | 'proof'>, checkpoint: string) => string;

/**
 * Receipts as JSON strings. The checkpoint is quoted once for all entries of its batch. The dash of its signature line
 * is escaped: with it, the whole response would take two bytes per character in memory.
 */
export function createQuotedReceipts(): QuotedReceipts {
  let last = '';
  let lastQuoted = '';
  let linesOf = createProofLines();
  return (entry, checkpoint) => {
    if (checkpoint !== last) {
      last = checkpoint;
      lastQuoted = oneByte(JSON.stringify(checkpoint).slice(1).replaceAll('\u2014', '\\u2014'));
      linesOf = createProofLines();
    }
    return `"c2sp.org/tlog-proof@v1\\nindex ${entry.leafIndex}\\n${linesOf(entry.proof)}\\n${lastQuoted}`;
  };
}

/** A tree's proofs as lines with escaped line feeds; lines of hashes that neighbours share are kept. */
function createProofLines(): (proof: readonly Uint8Array[]) => string {
  let before: readonly Uint8Array[] = [];
  /** The lines of the proof before, from each of its hashes to its end. */
  let linesBefore: readonly string[] = [];
  return (proof) => {
    const lines = new Array<string>(proof.length);
    let rest = '';
    let isShared = proof.length === before.length;
    for (let n = proof.length - 1; n >= 0; n--) {
      const hash = proof[n] as Uint8Array;
      isShared &&= hash === before[n];
      rest = isShared ? (linesBefore[n] ?? '') : `${formatBase64(hash)}\\n${rest}`;
      lines[n] = rest;
    }
    before = proof;
    linesBefore = lines;
    return rest;
  };
}

/** The same ASCII text as a new string: one that was cut out of a two-byte string keeps two bytes a character. */
function oneByte(text: string): string {
  return String.fromCharCode(...Array.from(text, (character) => character.charCodeAt(0)));
}
