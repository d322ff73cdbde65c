import type { JsonValue } from '@answer-evidence/contracts';
import { asObject, parseJsonText, readOr } from '@answer-evidence/encoding';
import { NoteError, parseTlogProof } from '@answer-evidence/note';

/** JSON pointers into a response to what is not as it was sent or asked for; empty where all is. */
export type Differences = readonly string[];

/** Pairs of what was expected and what is shown, by pointer. An undefined expectation is none. */
export type Expected = Readonly<Record<string, readonly [expected: unknown, shown: unknown]>>;

/** The pointers whose values differ. */
export function differencesOf(expected: Expected): Differences {
  return Object.entries(expected).flatMap(([pointer, [wanted, shown]]) =>
    wanted === undefined || wanted === shown ? [] : [pointer],
  );
}

/** The same pointers below a place. */
export function below(place: string, differences: Differences): Differences {
  return differences.map((pointer) => `${place}${pointer}`);
}

/** Members of a ledger entry by which it names its object; loosely read, since a later version may have more. */
type EntryNames = Readonly<Partial<Record<'id' | 'subject' | 'type' | 'hash', JsonValue>>>;

/** Whether the entry is about what is shown beside it: each member that is given must be equal. */
export function compareEntry(entry: string, named: EntryNames): Differences {
  const read = readEntry(entry);
  const isSame = Object.entries(named).every(([name, value]) => read[name] === value);
  return isSame ? [] : ['/ledger/entry'];
}

/** Whether a receipt is about this place of this log. One that cannot be read is for a guard with trust to judge. */
export function compareReceipt(
  receipt: string,
  ledger: { readonly origin: string; readonly leaf_index: number },
): Differences {
  try {
    const { index, checkpoint } = parseTlogProof(receipt);
    return index === ledger.leaf_index && checkpoint.startsWith(`${ledger.origin}\n`) ? [] : ['/receipt'];
  } catch (error) {
    if (error instanceof NoteError) return [];
    throw error;
  }
}

function readEntry(text: string): Readonly<Record<string, JsonValue | undefined>> {
  return asObject(readOr(() => parseJsonText(text), undefined));
}
