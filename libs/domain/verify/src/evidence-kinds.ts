import type { JsonValue } from '@answer-evidence/contracts';
import { memberOf, parseJson, readOr, utf8 } from '@answer-evidence/encoding';
import { NoteError, parseCheckpoint, parseNote } from '@answer-evidence/note';
import { type Pack, readPack } from './packs/read-pack.ts';
import type { KeptEntry } from './packs/verify-pack.ts';

/** What a file is that somebody gave to be verified. `other`: a sentence says what it may be instead. */
export type Evidence =
  | { readonly kind: 'bundle' | 'run' | 'trust' }
  | { readonly kind: 'receipt'; readonly receipt: string }
  /** A checkpoint of a log that was kept, the whole note. */
  | { readonly kind: 'checkpoint'; readonly checkpoint: string }
  /** An entry of the log, as its exact text. */
  | { readonly kind: 'entry'; readonly entry: string }
  /** An entry with its receipt, and its core if that came along: a response of the service that was kept. */
  | { readonly kind: 'response'; readonly response: KeptEntry }
  | { readonly kind: 'pack'; readonly pack: Pack }
  | { readonly kind: 'other'; readonly reason: string };

const FORMATS: ReadonlyMap<string, 'bundle' | 'run' | 'trust'> = new Map([
  ['answer-evidence-bundle/v1', 'bundle'],
  ['answer-evidence-bundle/v2', 'bundle'],
  ['answer-evidence-reconciliation/v1', 'run'],
  ['answer-evidence-trust/v1', 'trust'],
]);

const KNOWN =
  'a proof bundle, an evidence pack, a receipt (.tlog-proof) with its entry, a checkpoint, or the proof of a reconciliation';

/**
 * Tells by its content what a file is. Damaged JSON still says what it was meant to be, and then its verification says
 * what is wrong with it.
 */
export function findEvidence(bytes: Uint8Array): Evidence {
  const text = new TextDecoder().decode(bytes);
  if (text.startsWith('c2sp.org/tlog-proof@')) return { kind: 'receipt', receipt: text.replace(/\n\n$/, '\n') };
  const start = text.trimStart().charAt(0);
  if (start !== '{' && start !== '[') {
    const pack = readPack(text);
    if (pack !== undefined) return { kind: 'pack', pack };
    if (isCheckpoint(text)) return { kind: 'checkpoint', checkpoint: text };
    return { kind: 'other', reason: start === '<' ? `it is a page without the parts of an evidence pack` : not() };
  }
  const value = parse(text);
  const format = value === undefined ? findFormat(text) : memberOf(value, 'format');
  const kind = typeof format === 'string' ? FORMATS.get(format) : undefined;
  if (kind !== undefined) return { kind };
  if (value === undefined) return { kind: 'other', reason: 'it is damaged JSON that does not say what it is' };
  if (typeof format === 'string')
    return { kind: 'other', reason: `its format is not known to this verifier, which reads ${KNOWN}` };
  return findEntry(text, value) ?? { kind: 'other', reason: not() };
}

function isCheckpoint(text: string): boolean {
  try {
    parseCheckpoint(parseNote(text).text);
    return true;
  } catch (error) {
    if (error instanceof NoteError) return false;
    throw error;
  }
}

function not(): string {
  return `it is neither ${KNOWN}`;
}

function findEntry(text: string, value: JsonValue): Evidence | undefined {
  const [receipt, entry] = [memberOf(value, 'receipt'), memberOf(memberOf(value, 'ledger'), 'entry')];
  if (typeof receipt === 'string' && typeof entry === 'string')
    return { kind: 'response', response: { receipt, entry, core: memberOf(value, 'core') ?? null } };
  const isEntry = ['type', 'subject', 'seq', 'at', 'hash'].every((name) => memberOf(value, name) !== undefined);
  return isEntry ? { kind: 'entry', entry: text.replace(/\r?\n$/, '') } : undefined;
}

function parse(text: string): JsonValue | undefined {
  return readOr(() => parseJson(utf8(text)), undefined);
}

function findFormat(text: string): string | undefined {
  return /"format"\s*:\s*"([^"]{1,64})"/.exec(text)?.[1];
}
