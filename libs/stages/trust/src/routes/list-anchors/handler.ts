import type { AnchorItem, AnchorState } from '@answer-evidence/contracts';
import { listAnchors } from '@answer-evidence/contracts/operations';
import { sha256 } from '@answer-evidence/digest';
import { formatHex, formatTimestamp, utf8 } from '@answer-evidence/encoding';
import { buildArchiveTree } from '@answer-evidence/merkle';
import { parseNote } from '@answer-evidence/note';
import type { StoredAnchor, TreeSigner, Workspace } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { anchorStateOf, confirmationOf, nextAttemptAt } from '../../anchoring/anchor-state.ts';
import type { TrustDeps } from '../../deps.ts';
import { pageOffset } from '../../page-offset.ts';
import { findOpenRenewals, parseRenewalId, readRenewal } from '../../renewing/stored-renewal.ts';

/** `GET /api/trust/anchors`: every anchor of every checkpoint, newest first, with each attempt. */
export function listAnchorsRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...listAnchors,
    async handle({ caller, query }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const page = pageOffset(query);
      const policy = await deps.trust.policy(workspace.id);
      const newest = await deps.trust.newestAnchors(workspace.id);
      const now = {
        newestSize: newest[0]?.anchor.tree_size ?? 0,
        anchorIds: new Set(policy.values.anchors.map(({ id }) => id)),
        open: new Set(
          findOpenRenewals(await deps.trust.renewals(workspace.id), deps.extractToken).map(({ anchor }) => anchor.id),
        ),
      };
      const { items, total } = await deps.trust.listAnchors(workspace.id, page);
      const signer = await deps.logs.signer(workspace.id);
      const anchors: AnchorItem[] = [];
      for (const stored of items) anchors.push(await toAnchorResource(deps, workspace, signer, stored, now));
      return { status: 200, body: page.envelope(anchors, total) };
    },
  });
}

/** What states are told by: the newest round, the anchors of the policy, and the renewals that may be confirmed yet. */
type Now = {
  readonly newestSize: number;
  readonly anchorIds: ReadonlySet<string>;
  readonly open: ReadonlySet<string>;
};

/** A renewal is given up when another one was made, or the policy no longer has its anchor. */
function renewalStateOf(stored: StoredAnchor, { anchorIds, open }: Now): AnchorState {
  if (confirmationOf(stored) !== undefined) return 'confirmed';
  const { anchorId } = parseRenewalId(stored.anchor.anchor_id);
  return open.has(stored.anchor.id) && anchorIds.has(anchorId) ? 'pending' : 'failed';
}

async function toAnchorResource(
  deps: TrustDeps,
  workspace: Workspace,
  signer: TreeSigner,
  stored: StoredAnchor,
  now: Now,
): Promise<AnchorItem> {
  const { anchor, attempts } = stored;
  const state = anchor.covered === null ? anchorStateOf(stored, now) : renewalStateOf(stored, now);
  const row = await deps.trust.findPublished(workspace.id, anchor.tree_size);
  const text =
    row === undefined ? '' : parseNote(await signer.signReceipt({ size: row.tree_size, root: row.root })).text;
  const covered = anchor.covered === null ? undefined : readRenewal(stored).covered;
  const anchoredAt = confirmationOf(stored)?.anchored_at ?? null;
  const nowMicros = deps.clock.nowMicros();
  const nextAt = Math.max(nextAttemptAt(stored, nowMicros), Math.min(anchor.created_at, nowMicros));
  return {
    id: anchor.id,
    anchor_id: anchor.anchor_id,
    type: anchor.type,
    tree_size: anchor.tree_size,
    digest: formatHex(covered === undefined ? sha256(utf8(text)) : buildArchiveTree(covered).root),
    state,
    ...(covered === undefined ? {} : { renews: covered.length }),
    created_at: formatTimestamp(anchor.created_at),
    anchored_at: anchoredAt === null ? null : formatTimestamp(anchoredAt),
    next_attempt_at: state === 'pending' ? formatTimestamp(nextAt) : null,
    attempts: attempts.map(({ attempt, at, outcome, detail }) => ({
      attempt,
      at: formatTimestamp(at),
      outcome,
      detail,
    })),
  };
}
