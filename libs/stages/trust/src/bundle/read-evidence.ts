import { recordCore } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { parseSegmentIndexes } from '@answer-evidence/ledger';
import type {
  EvidenceStore,
  StoredAccess,
  StoredAsset,
  StoredRecord,
  StoredSegment,
  Workspace,
} from '@answer-evidence/ports';
import { readOr } from './damage.ts';

/** The evidence that a record binds, as stored. `segments` are those of an asset whose indexes an access names. */
export type BoundEvidence = {
  readonly accesses: readonly StoredAccess[];
  readonly assets: readonly { readonly stored: StoredAsset; readonly segments: readonly StoredSegment[] }[];
};

const idsOf = recordCore.shape.evidence_access_event_ids;

/** Reads it; undefined when the record names none. Damaged parts are left out: the verifier names them. */
export async function readBoundEvidence(
  evidence: EvidenceStore,
  workspace: Workspace,
  { record }: StoredRecord,
): Promise<BoundEvidence | undefined> {
  const { evidence_access_event_ids_json: json, id } = record;
  if (json === '[]') return undefined;
  const named = await readOr(() => Promise.resolve(idsOf.safeParse(parseJsonText(json)).data ?? []), []);
  const bound = await readOr(() => evidence.boundAccesses(workspace.id, id), []);
  const accesses = bound.filter(({ access }) => named.includes(access.id));
  const assets: BoundEvidence['assets'][number][] = [];
  for (const assetId of new Set(accesses.map(({ access }) => access.asset_id))) {
    const stored = await readOr(() => evidence.find(workspace.id, assetId), undefined);
    if (stored === undefined) continue;
    const indexes = namedIndexes(accesses.filter(({ access }) => access.asset_id === assetId));
    // The whole tree is needed for a place in it, so all are read as soon as one is named.
    const segments = indexes.size === 0 ? [] : await readOr(() => evidence.segments(workspace.id, assetId, null), []);
    assets.push({ stored, segments });
  }
  return { accesses, assets };
}

/** The indexes of segments that accesses name; of one that means all, none is named. */
export function namedIndexes(accesses: readonly StoredAccess[]): ReadonlySet<number> {
  return new Set(accesses.flatMap(({ access }) => indexesOf(access.segments_json)));
}

function indexesOf(json: string): readonly number[] {
  try {
    return parseSegmentIndexes(json) ?? [];
  } catch {
    return [];
  }
}

/** Every leaf of it. */
export function leavesOfEvidence(evidence: BoundEvidence | undefined) {
  if (evidence === undefined) return [];
  const { accesses, assets } = evidence;
  return [...accesses, ...assets.flatMap(({ stored }) => [stored, ...stored.redactions, ...stored.expiries])].map(
    ({ leaf }) => leaf,
  );
}
