import { hashCore, hashItem } from '@answer-evidence/commitments';
import type { BundleEvent, JsonValue } from '@answer-evidence/contracts';
import { type BundleContext, readEntry } from '../bundle-context.ts';
import { assertNamesEarlier, type Erasure, erasureOf, isExpired } from '../erasure.ts';
import { assertSame, CheckFailure, notApplicable, pass, type Verdict } from '../verdict.ts';

/** Every event re-hashed, numbered without a gap, bound to the hash before it, and not approved by who asked for it. */
export function checkEventChain(context: BundleContext): Verdict {
  const { record, events } = context.bundle;
  const erasure = erasureOf(context);
  let before = readEntry({ name: 'the record', entry: record.entry }).hash;
  let leafBefore = record.leaf_index;
  const earlier = new Set<string>();
  events.forEach((event, i) => {
    const name = `event ${i + 1}`;
    const entry = readEntry({ name, entry: event.entry });
    assertSame(`the sequence of ${name}`, i + 1, event.core.sequence);
    assertSame(`the record of ${name}`, record.core.id, event.core.answer_log_id);
    assertSame(`the hash before ${name}`, before, event.core.prev_event_hash);
    assertSame(`the hash of ${name}`, entry.hash, hashCore('lifecycle_event', event.core));
    assertSame(`the sequence in the entry of ${name}`, i + 1, entry.seq);
    assertSame(`the subject in the entry of ${name}`, record.core.id, entry.subject);
    assertSame(`the id in the entry of ${name}`, event.core.id, entry.id);
    if (event.leaf_index <= leafBefore) throw new CheckFailure(`${name} precedes in the log what it depends on`);
    assertNamesEarlier(name, event.core, earlier);
    checkDisclosed(name, event, erasure);
    checkSecond(name, event);
    earlier.add(event.core.id);
    before = entry.hash;
    leafBefore = event.leaf_index;
  });
  if (events.length === 0) return notApplicable('the record has no event');
  const chain = `${events.length} events follow the record in an unbroken chain`;
  const pairs = events.flatMap((event, i) => namePair(i + 1, event) ?? []);
  return pass(pairs.length === 0 ? chain : `${chain}; ${pairs.join('; ')}`);
}

/** Who asked for an event cannot be who approved it. */
function checkSecond(name: string, { core: { actor, approval } }: BundleEvent): void {
  const by = approval?.approved_by;
  if (by !== undefined && by !== null && by.kind === actor.kind && by.id === actor.id)
    throw new CheckFailure(`${name} was approved by who asked for it`);
  if (approval !== undefined && (approval.approval_id === null) !== (approval.approved_by === null))
    throw new CheckFailure(`${name} names a request without who approved it, or the other way round`);
}

/** Who decided about an event, where its workspace demanded a second person. */
function namePair(n: number, { core: { actor, approval } }: BundleEvent): string | undefined {
  if (approval === undefined) return undefined;
  if (approval.approved_by === null) return `event ${n} is by ${actor.id} alone, since nobody else could approve it`;
  return `event ${n} was asked for by ${actor.id} and approved by ${approval.approved_by.id}`;
}

function checkDisclosed(name: string, event: BundleEvent, erasure: Erasure): void {
  const { core, disclosed } = event;
  const redacted = erasure.eventIds.has(core.id);
  const mayBeGone = redacted || isExpired(erasure, event.leaf_index);
  for (const [what, hash, item] of [
    [`the reason of ${name}`, core.reason_hash, disclosed.reason],
    [`the payload of ${name}`, core.payload_rest_hash, disclosed.payload_rest],
  ] as const) {
    if (redacted && item !== null)
      throw new CheckFailure(`${what} is shown, although an event of the record redacted it`);
    checkItem(what, hash, item, mayBeGone);
  }
}

function checkItem(
  name: string,
  hash: string | null,
  disclosed: { readonly salt: string; readonly item: JsonValue } | null,
  mayBeGone: boolean,
): void {
  if (disclosed === null) {
    if (hash !== null && !mayBeGone) throw new CheckFailure(`${name} is missing, and no leaf explains why`);
    return;
  }
  if (hash === null) throw new CheckFailure(`${name} is shown, but nothing commits to it`);
  assertSame(`the hash of ${name}`, hash, hashItem(disclosed.salt, disclosed.item));
}
