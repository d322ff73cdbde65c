import { parseEntry } from '@answer-evidence/commitments';
import type { Verification, Voucher } from '@answer-evidence/contracts';
import { formatTimestamp, parseTimestamp } from '@answer-evidence/encoding';
import { type BundleContext, findEntry } from './bundle-context.ts';
import { compareWith } from './compare-with.ts';
import type { TimeBound } from './judge-anchors.ts';

type Sequenced = Verification['sequenced'];
type LowerEnd = { readonly at: string; readonly by: readonly Voucher[] };

/** When the record came into the log: what its entry states, and what outside parties vouch for on either side. */
export async function describeSequencing(context: BundleContext): Promise<Sequenced> {
  const stated = findEntry(context.leaves[0] ?? { name: '', entry: '' })?.at ?? null;
  const before = context.options.attestedBefore ?? (await findLowerEnd(context, stated));
  const lower = { stated, after: before?.at ?? null, after_by: [...(before?.by ?? [])] };
  const bound = await findUpperBound(context);
  if (bound === null) return { ...lower, not_later_than: null, not_later_than_by: [] };
  const by = bound.anchorIds.map((name) => ({ kind: 'anchor' as const, name }));
  return { ...lower, not_later_than: formatTimestamp(bound.micros), not_later_than_by: by };
}

// An invented log can be time-stamped too. The FAIL of each check, with the reason, is in the list.
const FOUNDATIONS = ['leaf_entry', 'merkle_inclusion', 'checkpoint_signature'];

async function findUpperBound({ outcomes, judgeAnchors }: BundleContext): Promise<TimeBound | null> {
  const stands = [...FOUNDATIONS, 'external_anchor'];
  if (stands.some((name) => outcomes.get(name) !== 'PASS') || outcomes.get('anchored') === 'FAIL') return null;
  return (await judgeAnchors()).notLaterThan;
}

/**
 * When outside parties attested a tree without the record, the latest of those before its own time; without any, the
 * time of the leaf before it, which is the operator's word too.
 */
async function findLowerEnd(context: BundleContext, stated: string | null): Promise<LowerEnd | undefined> {
  const { bundle, options, outcomes } = context;
  const isDoubted = ['checkpoint_consistency', 'log_order'].some((name) => outcomes.get(name) === 'FAIL');
  if (stated === null || isDoubted || FOUNDATIONS.some((name) => outcomes.get(name) !== 'PASS')) return undefined;
  const { leaf_index: leafIndex } = bundle.record;
  const statedAt = parseTimestamp(stated);
  const trees = (await options.given?.treesOf(bundle.origin)) ?? [];
  const attested = trees
    .filter(({ size }) => size <= leafIndex)
    .flatMap((tree) => tree.attested.map((attestation) => ({ tree, attestation })))
    .filter(({ attestation: { micros } }) => micros <= statedAt)
    .toSorted((a, b) => b.attestation.micros - a.attestation.micros);
  for (const { tree, attestation } of attested)
    if ((await compareWith(context, tree)) === 'continues')
      return { at: formatTimestamp(attestation.micros), by: attestation.by };
  return findByOrder(context, leafIndex);
}

async function findByOrder(
  { options: { log }, outcomes, readCheckpoint }: BundleContext,
  leafIndex: number,
): Promise<LowerEnd | undefined> {
  if (leafIndex === 0 || outcomes.get('log_order') !== 'PASS') return undefined;
  const entry = (await log?.entriesBelow?.(readCheckpoint().checkpoint.size))?.[leafIndex - 1];
  return entry === undefined ? undefined : { at: parseEntry(entry).at, by: [] };
}
