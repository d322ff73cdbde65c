import { algorithmOfLogKey, NoteError, parseVkey, type Vkey } from '@answer-evidence/note';
import { WitnessError } from './witness-error.ts';

/** A log whose checkpoints a witness may cosign, and the keys that sign for it. */
export type TrustedLog = { readonly origin: string; readonly vkeys: readonly Vkey[] };

const HEADER = 'logs/v0';
const FIELDS: readonly string[] = ['vkey', 'origin', 'bastion', 'qpd', 'contact'];

/**
 * Reads a list of logs: lines of vkeys, whose names are the origins, or a list of the witness network (`logs/v0`), of
 * which `vkey` and `origin` are used. Empty lines and those that begin with `#` mean nothing. Keys of one origin belong
 * to one log. Throws `WitnessError` with the number of the line.
 */
export function parseTrustedLogs(text: string): ReadonlyMap<string, TrustedLog> {
  const lines = text
    .split('\n')
    .map((line, i) => ({ words: line.trim(), number: i + 1 }))
    .filter(({ words }) => words !== '' && !words.startsWith('#'));
  const [first, ...rest] = lines;
  if (first?.words !== HEADER) return collect(lines.map(({ words, number }) => readLog(words, undefined, number)));

  const blocks: { vkey: string; origin: string | undefined; number: number }[] = [];
  for (const { words, number } of rest) {
    const [, field = '', value = ''] = /^(\S+)\s+(\S.*)$/.exec(words) ?? [];
    const block = blocks.at(-1);
    if (!FIELDS.includes(field)) throw new WitnessError(`line ${number}: not a valid line of a log list`);
    if (field === 'vkey') blocks.push({ vkey: value, origin: undefined, number });
    else if (block === undefined) throw new WitnessError(`line ${number}: a log must start with its vkey`);
    else if (field === 'origin' && value !== 'none') block.origin = value;
  }
  return collect(blocks.map(({ vkey, origin, number }) => readLog(vkey, origin, number)));
}

function readLog(text: string, origin: string | undefined, number: number): TrustedLog {
  try {
    const vkey = parseVkey(text);
    algorithmOfLogKey(vkey);
    return { origin: origin ?? vkey.name, vkeys: [vkey] };
  } catch (error) {
    if (error instanceof NoteError) throw new WitnessError(`line ${number}: ${error.reason}`);
    throw error;
  }
}

function collect(logs: readonly TrustedLog[]): ReadonlyMap<string, TrustedLog> {
  const byOrigin = new Map<string, TrustedLog>();
  for (const { origin, vkeys } of logs) {
    byOrigin.set(origin, { origin, vkeys: [...(byOrigin.get(origin)?.vkeys ?? []), ...vkeys] });
  }
  return byOrigin;
}
