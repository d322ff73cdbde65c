import { formatEntry } from '@answer-evidence/commitments';
import type { JsonObject } from '@answer-evidence/contracts';
import { formatHex, parseJsonText } from '@answer-evidence/encoding';
import { describeCore } from '@answer-evidence/ledger';
import { formatTlogProof, parseNote } from '@answer-evidence/note';
import { passDoor, type TextDoor, type Tree, type VersionedTrustPolicy, type Workspace } from '@answer-evidence/ports';
import { EVENTS, type LeafRow, RECORDS } from '@answer-evidence/tables';
import type { ChosenCheckpoint } from '../checkpoints/choose-checkpoint.ts';
import type { TrustDeps } from '../deps.ts';
import { toBundleKeys } from '../log-keys/to-log-key-resources.ts';
import { toShownPolicy } from '../policy/to-policy-resource.ts';
import { readRenewals } from '../renewing/read-renewals.ts';
import { attachmentsOf } from './attachments-of.ts';
import { describeEvidence } from './describe-evidence.ts';
import { discloseEvent, discloseRecord } from './disclose.ts';
import type { ConsistentRecord } from './read-consistently.ts';
import { leavesOfEvidence } from './read-evidence.ts';
import type { ReadProofs } from './read-proofs.ts';

/** A bundle as it is stored, with what hangs on its record. */
export type UncheckedBundle = JsonObject & { readonly attachments: readonly JsonObject[] };

/**
 * The proof bundle of a record at a checkpoint of its log. It is put together from what is stored, whether or not that
 * is as it should be: saying so is the verifier's part. Only proofs may be held against the tree as they are read, and
 * the result is typed as plain JSON.
 * Where the door withholds texts, it has none of question, answer and corrections, and says so by its version.
 */
export async function buildBundle(
  deps: Pick<TrustDeps, 'administration' | 'logs' | 'turn' | 'trust' | 'extractToken'>,
  workspace: Workspace,
  { stored: whole, evidence, holds, door }: ConsistentRecord & { readonly door: TextDoor },
  readProofs: ReadProofs,
  chosen: ChosenCheckpoint,
  policy: VersionedTrustPolicy,
): Promise<UncheckedBundle> {
  const stored = passDoor(whole, door);
  const attachments = attachmentsOf(stored);
  const own = [stored, ...stored.events, ...attachments].map(({ leaf }) => leaf);
  const leaves = [...own, ...leavesOfEvidence(evidence), ...(holds ?? []).map(({ leaf }) => leaf)];
  const proofs = await readInTurns(deps, readProofs, leaves, chosen.head);
  const checkpoint = chosen.note;
  const places = new Map(leaves.map((leaf, n) => [leaf.leaf_index, n]));
  function proven(leaf: LeafRow): JsonObject {
    const hashes = proofs[places.get(leaf.leaf_index) ?? -1] ?? [];
    return {
      leaf_index: leaf.leaf_index,
      entry: formatEntry(leaf),
      leaf_hash: formatHex(leaf.leaf_hash),
      proof: formatTlogProof({ index: leaf.leaf_index, hashes, checkpoint }),
    };
  }
  const events = await Promise.all(
    stored.events.map(async (event): Promise<JsonObject> => {
      const core = describeCore(EVENTS, event.event);
      return {
        ...proven(event.leaf),
        core,
        disclosed: await discloseEvent(deps.administration, workspace, event, hashKeyOf(core)),
      };
    }),
  );
  const attached: JsonObject[] = [];
  for (const [n, { leaf, describe }] of attachments.entries()) {
    if (n > 0) await deps.turn();
    attached.push({ ...proven(leaf), core: describe() });
  }
  const renewals = await readRenewals(deps, workspace, chosen.anchors, parseNote(checkpoint).text);
  return {
    ...(door.texts === 'withheld'
      ? { format: 'answer-evidence-bundle/v2', withheld: ['texts'] }
      : { format: 'answer-evidence-bundle/v1' }),
    origin: workspace.origin,
    workspace_id: workspace.id,
    record: {
      ...proven(stored.leaf),
      core: describeCore(RECORDS, stored.record),
      disclosed: await discloseRecord(deps.administration, workspace, stored),
    },
    status: stored.status,
    events,
    attachments: attached,
    ...(evidence === undefined ? {} : { evidence: describeEvidence(evidence, proven) }),
    ...(holds === undefined
      ? {}
      : {
          holds: holds.map(({ leaf, row }) => ({ ...proven(leaf), core: parseJsonText(row.core_json) as JsonObject })),
        }),
    checkpoint,
    anchors: [...chosen.anchors],
    ...(renewals.length === 0 ? {} : { renewals: [...renewals] }),
    log_keys: toBundleKeys(await deps.logs.signer(workspace.id)),
    policy: toShownPolicy(policy),
  };
}

/** How many proofs are read together; a record may have thousands of traces. */
const PROOFS_AT_ONCE = 64;

async function readInTurns(
  { turn }: Pick<TrustDeps, 'turn'>,
  readProofs: ReadProofs,
  leaves: readonly LeafRow[],
  tree: Tree,
): Promise<readonly (readonly Uint8Array[])[]> {
  const proofs: (readonly Uint8Array[])[] = [];
  for (let from = 0; from < leaves.length; from += PROOFS_AT_ONCE) {
    if (from > 0) await turn();
    proofs.push(...(await readProofs(leaves.slice(from, from + PROOFS_AT_ONCE), tree)));
  }
  return proofs;
}

function hashKeyOf({ corrected_answer: corrected }: JsonObject): string | null {
  if (typeof corrected !== 'object' || corrected === null || !('hash_key_id' in corrected)) return null;
  return typeof corrected.hash_key_id === 'string' ? corrected.hash_key_id : null;
}
