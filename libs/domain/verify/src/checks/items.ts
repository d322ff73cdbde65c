import { hashCore, hashItem } from '@answer-evidence/commitments';
import { type JsonObject, traceAttachedCore } from '@answer-evidence/contracts';
import { type BundleContext, readEntry } from '../bundle-context.ts';
import { erasureOf, isExpired } from '../erasure.ts';
import { assertSame, CheckFailure, notApplicable, pass, type Verdict } from '../verdict.ts';

type Item = { readonly salt: string; readonly item: JsonObject } | null;
/** An item that the core commits to, and why it may be gone. */
type Committed = { readonly name: string; readonly hash: string; readonly gone: string | undefined };

const EXPIRED = 'it expired, according to an entry of the log';

/** Every source reference against its salted hash in the core. */
export function checkSourceRefs(context: BundleContext): Verdict {
  const { core, disclosed, leaf_index: at } = context.bundle.record;
  const erasure = erasureOf(context);
  const committed = core.source_refs.map(({ source_ref_id: id, hash }, i): Committed => {
    const redacted = erasure.sourceRefIds.has(id) ? 'an event of the record redacted it' : undefined;
    return { name: `source reference ${i + 1}`, hash, gone: isExpired(erasure, at) ? EXPIRED : redacted };
  });
  return compareItems('source references', committed, disclosed.source_refs);
}

/** Every semantic reference against its salted hash in the core. */
export function checkSemanticRefs(context: BundleContext): Verdict {
  const { core, disclosed, leaf_index: at } = context.bundle.record;
  const erasure = erasureOf(context);
  const redacted = erasure.semanticRefs ? 'an event of the record redacted it' : undefined;
  const gone = isExpired(erasure, at) ? EXPIRED : redacted;
  const committed = core.semantic_refs.map((hash, i): Committed => ({
    name: `semantic reference ${i + 1}`,
    hash,
    gone,
  }));
  return compareItems('semantic references', committed, disclosed.semantic_refs);
}

/** Every attached trace against the hash in its entry, and against the record; no span of it twice. */
export function checkTraceRefs({ bundle, leaves }: BundleContext): Verdict {
  const attached = leaves.slice(1 + bundle.events.length).map((leaf) => ({ ...leaf, stated: readEntry(leaf) }));
  const traces = attached.filter(({ stated }) => stated.type === 'trace_attached');
  const spans = new Set<string>();
  for (const leaf of traces) {
    assertSame(`the hash of ${leaf.name}`, leaf.stated.hash, hashCore('trace_attached', leaf.core));
    const { data: core } = traceAttachedCore.safeParse(leaf.core);
    if (core === undefined) throw new CheckFailure(`the core of ${leaf.name} does not describe an attached trace`);
    assertSame(`the record that ${leaf.name} names`, bundle.record.core.id, core.answer_log_id);
    spans.add(`${core.trace_id} ${core.span_id ?? ''}`);
  }
  if (spans.size !== traces.length) throw new CheckFailure('a span is attached twice');
  if (traces.length === 0) return notApplicable('no trace is attached to the record');
  return pass(
    `${traces.length} attached ${traces.length === 1 ? 'trace is the one' : 'traces are those'} that ${traces.length === 1 ? 'was' : 'were'} recorded`,
  );
}

function compareItems(what: string, committed: readonly Committed[], disclosed: readonly Item[]): Verdict {
  if (committed.length !== disclosed.length) {
    throw new CheckFailure(`the number of ${what} shown differs from the record`, {
      expected: String(committed.length),
      actual: String(disclosed.length),
    });
  }
  if (committed.length === 0) return notApplicable(`the record has no ${what}`);
  let compared = 0;
  committed.forEach(({ name, hash, gone }, i) => {
    const item = disclosed[i] ?? null;
    if (item === null) {
      if (gone === undefined) throw new CheckFailure(`${name} is missing, and no leaf explains why`);
      return;
    }
    if (gone !== undefined) throw new CheckFailure(`${name} is shown, although ${gone}`);
    assertSame(`the hash of ${name}`, hash, hashItem(item.salt, item.item));
    compared++;
  });
  if (compared === 0) return notApplicable(`all ${what} were erased, as the log says`);
  return pass(`${compared} of ${committed.length} ${what} are shown and match the record`);
}
