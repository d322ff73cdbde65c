import type { Caller } from '@answer-evidence/access';
import { ServiceError, uuid, verification } from '@answer-evidence/contracts';
import { formatTimestamp, parseHex } from '@answer-evidence/encoding';
import { formatEntry, readConsistencyProof } from '@answer-evidence/ledger';
import { EMPTY_ROOT } from '@answer-evidence/merkle';
import { defineRoute, type LogSnapshot, type OutsideHead, type Route, type Workspace } from '@answer-evidence/ports';
import {
  type BundleVerification,
  type CreationCommit,
  type PublishedHead,
  verifyBundle,
} from '@answer-evidence/verifier';
import { z } from 'zod';
import { buildBundle } from '../../bundle/build-bundle.ts';
import { isDamage, readOr } from '../../bundle/damage.ts';
import { readConsistently } from '../../bundle/read-consistently.ts';
import { trustOf } from '../../bundle/trust-of.ts';
import type { TrustParts } from '../../parts.ts';

/** `GET /api/answer-audit-logs/{answer_log_id}/ledger/verify`: every check of one record, re-computed from what is stored. */
export function verifyRecordRoute(parts: TrustParts): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/answer-audit-logs/{answer_log_id}/ledger/verify',
    operationId: 'verifyAnswerRecord',
    summary: 'Verify a record against its ledger',
    access: 'records.read',
    params: z.strictObject({ answer_log_id: uuid }),
    responses: {
      200: { description: 'One outcome a check; there is no overall result', schema: verification },
      404: { description: 'No such record' },
    },
    async handle({ params, caller }) {
      if (caller === null) throw new ServiceError('unauthenticated', 'a token is needed');
      const workspace = await parts.directory.get(caller.workspaceId);
      // Read before the log: a head kept outside of the database is then never ahead of an honest log.
      const outside = await parts.outsideHeads.find(workspace.id);
      const { pins: _, ...result } = await verifyStored(parts, workspace, caller, params.answer_log_id, outside);
      return { status: 200, body: { ...result, answer_log_id: params.answer_log_id } };
    },
  });
}

async function verifyStored(
  parts: TrustParts,
  workspace: Workspace,
  caller: Caller,
  recordId: string,
  outside: OutsideHead | undefined,
): Promise<BundleVerification> {
  const options = { verifyEd25519: parts.verifyEd25519 };
  try {
    const { stored, snapshot } = await readConsistently(parts, caller, recordId);
    const bundle = await buildBundle(parts, workspace, stored, snapshot);
    return await verifyBundle(bundle, trustOf(workspace), {
      ...options,
      checkpointAt: formatTimestamp(snapshot.head.last_at),
      log: {
        verified: 'database',
        entriesNaming: async (subject, treeSize) => {
          const leaves = await parts.logs.leavesOf(workspace.id, subject, treeSize);
          return leaves.map((leaf) => ({ leaf_index: leaf.leaf_index, entry: formatEntry(leaf) }));
        },
      },
      creation: await creationOf(parts, workspace, stored.leaf.leaf_index, snapshot),
      published: await publishedHeads(outside, snapshot),
    });
  } catch (error) {
    if (!isDamage(error)) throw error;
    // What cannot even be read is a bundle with nothing in it, which fails every check.
    return await verifyBundle({ format: 'answer-evidence-bundle/v1' }, trustOf(workspace), options);
  }
}

async function creationOf(
  parts: TrustParts,
  workspace: Workspace,
  leafIndex: number,
  snapshot: LogSnapshot,
): Promise<CreationCommit> {
  const commit = await parts.logs.findCommit(workspace.id, leafIndex);
  // Every leaf has its commit. Where the row is gone, the record is in no tree that a receipt could have been given in.
  if (commit === undefined || commit.from_size > leafIndex) return { treeSize: 0, root: EMPTY_ROOT, consistency: [] };
  const consistency = await consistencyTo(snapshot, commit.tree_size);
  return { treeSize: commit.tree_size, root: commit.root, consistency };
}

/** The head kept outside of the database is what was last shown to the world beyond it. */
async function publishedHeads(head: OutsideHead | undefined, snapshot: LogSnapshot): Promise<readonly PublishedHead[]> {
  if (head === undefined) return [];
  return [{ size: head.treeSize, root: parseHex(head.rootHash), proof: await consistencyTo(snapshot, head.treeSize) }];
}

async function consistencyTo(snapshot: LogSnapshot, size: number): Promise<readonly Uint8Array[]> {
  const treeSize = snapshot.head.tree_size;
  if (size === 0 || size >= treeSize) return [];
  return readOr(() => readConsistencyProof(snapshot.nodes, size, treeSize), []);
}
