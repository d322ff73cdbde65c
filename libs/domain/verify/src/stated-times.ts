import { parseEntry } from '@answer-evidence/commitments';
import { formatTimestamp, MICROS_PER_SECOND, parseTimestamp } from '@answer-evidence/encoding';
import { CheckFailure } from './verdict.ts';

/**
 * How much earlier than a leaf under its tree the time of a time-stamp or cosignature may be. Clocks differ, and a
 * service whose clock is behind by more than this records nothing (docs/formats/trust.md, "Times of outside parties").
 */
export const TIME_TOLERANCE_MICROS = 300 * MICROS_PER_SECOND;

/** The youngest leaf that is known under a tree. `at` is in microseconds since 1970. */
export type YoungestLeaf = { readonly name: string; readonly at: number };

/** The youngest of the leaves that evidence shows; undefined where none can be read. */
export function findYoungest(
  leaves: readonly { readonly name: string; readonly entry: string }[],
): YoungestLeaf | undefined {
  return youngestOf(leaves.flatMap((leaf) => readLeafTime(leaf) ?? []));
}

/** The youngest of some leaves. */
export function youngestOf(leaves: readonly YoungestLeaf[]): YoungestLeaf | undefined {
  return leaves.reduce<YoungestLeaf | undefined>(
    (known, leaf) => (known !== undefined && known.at >= leaf.at ? known : leaf),
    undefined,
  );
}

/** Throws `CheckFailure`, with both times, for a time from outside that a leaf under its tree contradicts. */
export function assertNotBefore(what: string, statedMicros: number, youngest: YoungestLeaf | undefined): void {
  if (youngest === undefined || statedMicros >= youngest.at - TIME_TOLERANCE_MICROS) return;
  const [stated, at] = [formatTimestamp(statedMicros), formatTimestamp(youngest.at)];
  throw new CheckFailure(`${what} states ${stated}, but ${youngest.name} under its tree has the later time ${at}`, {
    expected: `not before ${at}, less ${TIME_TOLERANCE_MICROS / MICROS_PER_SECOND} seconds`,
    actual: stated,
  });
}

function readLeafTime(leaf: { readonly name: string; readonly entry: string }): YoungestLeaf | undefined {
  try {
    return { name: leaf.name, at: parseTimestamp(parseEntry(leaf.entry).at) };
  } catch {
    // The FAIL of `leaf_entry` says so.
    return undefined;
  }
}
