import { formatHex } from '@answer-evidence/encoding';
import {
  describeEventCore,
  describeRecordCore,
  formatEntry,
  type NodeReader,
  readInclusionProofs,
} from '@answer-evidence/ledger';
import type { JsonObject, LeafRow } from '@answer-evidence/contracts';
import { formatTlogProof } from '@answer-evidence/note';
import type { StoredRecord, VersionedTrustPolicy, Workspace } from '@answer-evidence/ports';
import type { ChosenCheckpoint } from '../checkpoints/choose-checkpoint.ts';
import type { TrustParts } from '../parts.ts';
import { presentLogKeys } from '../log-keys/present-log-keys.ts';
import { presentPolicy } from '../policy/present-policy.ts';
import { attachmentsOf } from './attachments-of.ts';
import { readOr } from './damage.ts';
import { discloseEvent, discloseRecord } from './disclose.ts';

/**
 * The proof bundle of a record at a checkpoint of its log. It is put together from what is stored, whether or not that is as it should
 * be: saying so is the verifier's part, so nothing here checks, and the result is typed as plain JSON.
 */
export async function buildBundle(
  parts: Pick<TrustParts, 'administration' | 'logs'>,
  workspace: Workspace,
  stored: StoredRecord,
  nodes: NodeReader,
  chosen: ChosenCheckpoint,
  policy: VersionedTrustPolicy,
): Promise<JsonObject> {
  const { size } = chosen.head;
  const attachments = attachmentsOf(stored);
  const leaves = [stored.leaf, ...[...stored.events, ...attachments].map(({ leaf }) => leaf)];
  const indexes = leaves.map((leaf) => leaf.leaf_index);
  const proofs = await readOr(() => readInclusionProofs(nodes, indexes, size), []);
  const checkpoint = chosen.note;
  function proven(leaf: LeafRow, n: number): JsonObject {
    return {
      leaf_index: leaf.leaf_index,
      entry: formatEntry(leaf),
      leaf_hash: formatHex(leaf.leaf_hash),
      proof: formatTlogProof({ index: leaf.leaf_index, hashes: proofs[n] ?? [], checkpoint }),
    };
  }
  const events = await Promise.all(
    stored.events.map(async (event, n): Promise<JsonObject> => {
      const core = describeEventCore(event.event);
      return {
        ...proven(event.leaf, n + 1),
        core,
        disclosed: await discloseEvent(parts.administration, workspace, event, hashKeyOf(core)),
      };
    }),
  );
  return {
    format: 'answer-evidence-bundle/v1',
    origin: workspace.origin,
    workspace_id: workspace.id,
    record: {
      ...proven(stored.leaf, 0),
      core: describeRecordCore(stored.record),
      disclosed: await discloseRecord(parts.administration, workspace, stored),
    },
    status: stored.status,
    events,
    attachments: attachments.map(({ core, leaf }, n) => ({ ...proven(leaf, 1 + stored.events.length + n), core })),
    checkpoint,
    anchors: [...chosen.anchors],
    log_keys: presentLogKeys(await parts.logs.signer(workspace.id)),
    policy: presentPolicy(policy),
  };
}

function hashKeyOf({ corrected_answer: corrected }: JsonObject): string | null {
  if (typeof corrected !== 'object' || corrected === null || !('hash_key_id' in corrected)) return null;
  return typeof corrected.hash_key_id === 'string' ? corrected.hash_key_id : null;
}
