import {
  type AnyBundle,
  type BundleEvent,
  type HoldPlacedCore,
  type HoldReleasedCore,
  holdReleasedCore,
  statedHoldCore,
} from '@answer-evidence/contracts';
import { parseTimestamp } from '@answer-evidence/encoding';
import { covers } from '@answer-evidence/lifecycle';
import { nameHold, readEntry } from '../bundle-context.ts';
import { CheckFailure } from '../verdict.ts';
import { readCore } from './read-core.ts';

/** A hold that covers the record from a place in the log on, up to another one. */
type StatedHold = { readonly name: string; readonly from: number; readonly matter: string; until: number };

/**
 * Every stated hold covers the record, every release ends a stated hold, and nothing of the record was erased in
 * between. Throws `CheckFailure`.
 */
export function assertHolds(bundle: AnyBundle): readonly StatedHold[] | undefined {
  if (bundle.holds === undefined) return undefined;
  const stated = new Map<string, StatedHold>();
  bundle.holds.forEach(({ core, entry, leaf_index: leaf }, i) => {
    const name = nameHold(i);
    if (readEntry({ name, entry }).type === 'hold_placed') {
      const hold = readCore(name, statedHoldCore, core);
      assertCovers(name, bundle, hold);
      stated.set(hold.id, { name, from: leaf, matter: hold.matter, until: Infinity });
    } else endHold(name, stated, readCore(name, holdReleasedCore, core), leaf);
  });
  const holds = [...stated.values()];
  assertKept(bundle, holds);
  return holds;
}

function endHold(name: string, stated: ReadonlyMap<string, StatedHold>, release: HoldReleasedCore, leaf: number): void {
  const hold = stated.get(release.hold_id);
  if (hold === undefined || hold.from >= leaf) throw new CheckFailure(`${name} releases no hold that stands before it`);
  if (hold.until !== Infinity) throw new CheckFailure(`${name} releases ${hold.name} a second time`);
  if (hold.matter !== release.matter) throw new CheckFailure(`${name} names another matter than ${hold.name}`);
  hold.until = leaf;
}

function assertCovers(name: string, { record }: AnyBundle, hold: Pick<HoldPlacedCore, 'filters' | 'answer_log_ids'>) {
  const { at } = readEntry({ name: 'the record', entry: record.entry });
  if (!covers(hold, { ...record.core, at: parseTimestamp(at) }))
    throw new CheckFailure(`${name} does not cover the record`);
}

/** A redaction that was made again after a restore: it was made first when no hold was there. */
function isRecovery({ core: { actor } }: BundleEvent): boolean {
  return actor.kind === 'service' && actor.id === 'recovery';
}

function assertKept({ record, events, attachments, evidence }: AnyBundle, holds: readonly StatedHold[]): void {
  const erasures = [
    ...events.flatMap((event, i) =>
      event.core.event_type === 'redacted' && !isRecovery(event)
        ? [{ name: `event ${i + 1}`, leaf: event.leaf_index }]
        : [],
    ),
    ...attachments.flatMap(({ entry, leaf_index: leaf }, i) => {
      const name = `attachment ${i + 1}`;
      return readEntry({ name, entry }).type === 'text_expired' ? [{ name, leaf }] : [];
    }),
    ...(evidence?.assets ?? []).flatMap(({ erasures: own }, i) =>
      own.flatMap(({ entry, leaf_index: leaf }, n) => {
        const name = `erasure ${n + 1} of asset ${i + 1}`;
        return readEntry({ name, entry }).type === 'evidence_expired' ? [{ name, leaf }] : [];
      }),
    ),
  ];
  for (const { name, leaf } of erasures)
    for (const hold of holds)
      if (leaf > Math.max(hold.from, record.leaf_index) && leaf < hold.until)
        throw new CheckFailure(`${name} erased what ${hold.name} had put on hold`);
}

/** What the holds come to, without their texts; undefined where none are stated. */
export function describeHolds(holds: ReturnType<typeof assertHolds>): string | undefined {
  if (holds === undefined) return undefined;
  if (holds.length === 0) return 'no hold is stated';
  const inForce = holds.filter(({ until }) => until === Infinity).length;
  return `${holds.length} holds covered the record, not released: ${inForce}`;
}
