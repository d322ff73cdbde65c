import { type EntryType, type LedgerEntry, ledgerEntry } from '@answer-evidence/contracts';
import { canonicalize, formatHex, formatTimestamp, parseJsonText, parseTimestamp } from '@answer-evidence/encoding';

/** What an entry says, with its hash as 32 bytes and its time in microseconds. */
export type EntryFields = {
  readonly type: EntryType;
  readonly id: string;
  readonly subject: string;
  readonly seq: number;
  readonly hash: Uint8Array;
  readonly at: number;
};

/**
 * The exact text of a leaf: the JCS (RFC 8785) of `{v:1, type, id, subject, seq, hash, at}`. The keys are in canonical
 * order and no value needs escaping, so a template gives the same bytes as the general writer.
 */
export function formatEntry(entry: EntryFields): string {
  return `{"at":"${formatTimestamp(entry.at)}","hash":"sha256:${formatHex(entry.hash)}","id":"${entry.id}","seq":${entry.seq},"subject":"${entry.subject}","type":"${entry.type}","v":1}`;
}

/** Reads an entry's text. Throws unless it is exactly the canonical form of a version 1 entry. */
export function parseEntry(text: string): LedgerEntry {
  const entry = ledgerEntry.parse(parseJsonText(text));
  if (canonicalize(entry) !== text) throw new Error('the entry is not in canonical form');
  // A time such as the 30th of February has the form of one.
  parseTimestamp(entry.at);
  return entry;
}
