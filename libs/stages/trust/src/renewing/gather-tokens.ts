import { certificateOf } from '@answer-evidence/contracts';
import type { StoredAnchor, Workspace } from '@answer-evidence/ports';
import type { AttemptRow } from '@answer-evidence/tables';
import { confirmationOf } from '../anchoring/anchor-state.ts';
import type { TrustDeps } from '../deps.ts';
import { hashCheckpoint } from './hash-checkpoint.ts';
import { covers } from './stored-renewal.ts';

type Deps = Pick<TrustDeps, 'trust' | 'hashToken' | 'verifyTimestamp' | 'turn'>;

/** The tokens that a renewal covers. */
type Gathered = {
  /** Of tokens. */
  readonly hashes: readonly Uint8Array[];
  /** The largest tree that any of them is over. */
  readonly treeSize: number;
  /** The first end of a certificate among them (µs); null where none ends. */
  readonly endsAt: number | null;
  /** The newest token of each anchor, which shows from which authorities they are. */
  readonly newest: readonly Uint8Array[];
};

/** How many trees are read at once. */
const TREES_AT_ONCE = 200;
/** How many tokens one renewal covers; those behind them are covered by the next one. */
const TOKENS_MAX = 65_536;

/**
 * The tokens since the last renewal, and those of all renewals before. Tokens of which a certificate has ended are left
 * out: nothing would show any more that they are from before. Undefined where there is no token.
 */
export async function gatherTokens(
  deps: Deps,
  workspace: Workspace,
  renewals: readonly StoredAnchor[],
  nowMicros: number,
): Promise<Gathered | undefined> {
  const last = renewals.at(-1);
  const hashes: Uint8Array[] = [];
  const newest = new Map<string, Uint8Array>();
  const ends: number[] = [];
  let treeSize = last?.anchor.tree_size ?? 0;
  async function add(stored: StoredAnchor, isOld: boolean): Promise<void> {
    await deps.turn();
    const token = await readToken(deps, workspace, stored);
    if (token === undefined || (token.endsAt ?? Infinity) <= nowMicros) return;
    if (last !== undefined && stored !== last && !isOld && covers(last, token.hash)) return;
    hashes.push(token.hash);
    if (isOld) return;
    newest.set(stored.anchor.anchor_id, token.artefact);
    if (token.endsAt !== null) ends.push(token.endsAt);
  }
  for (const renewal of renewals) await add(renewal, renewal !== last);
  for (let from = treeSize; hashes.length < TOKENS_MAX; from = treeSize + 1) {
    const stored = await deps.trust.tokenAnchors(workspace.id, from, TREES_AT_ONCE);
    if (stored.length === 0) break;
    for (const one of stored.toReversed()) await add(one, false);
    treeSize = Math.max(treeSize, ...stored.map(({ anchor }) => anchor.tree_size));
  }
  if (hashes.length === 0) return undefined;
  const endsAt = ends.reduce<number | null>((first, end) => Math.min(first ?? end, end), null);
  return { hashes, treeSize, endsAt, newest: [...newest.values()] };
}

type Token = { readonly hash: Uint8Array; readonly artefact: Uint8Array; readonly endsAt: number | null };

/** The token of an anchor; undefined where it has none, or one of which nobody can say how long it is good. */
async function readToken(deps: Deps, workspace: Workspace, stored: StoredAnchor): Promise<Token | undefined> {
  const { artefact = null, ends_at: end = null } = confirmationOf(stored) ?? {};
  if (artefact === null) return undefined;
  const endsAt = end ?? (await findEnd(deps, workspace, stored, artefact));
  return endsAt === undefined ? undefined : { hash: await deps.hashToken(artefact), artefact, endsAt };
}

/** When a token ends that was stored before its end was: by the certificates that the policy of its time pins. */
async function findEnd(
  deps: Deps,
  workspace: Workspace,
  { anchor }: StoredAnchor,
  artefact: NonNullable<AttemptRow['artefact']>,
): Promise<number | undefined> {
  const { values } = (await deps.trust.findPolicy(workspace.id, anchor.policy_version)) ?? {};
  const config = values?.anchors.find(({ id }) => id === anchor.anchor_id);
  const pem = config === undefined ? null : certificateOf(config);
  const [digest] = await hashCheckpoint(deps, workspace, anchor.tree_size);
  if (pem === null || digest === undefined) return undefined;
  try {
    return (await deps.verifyTimestamp(artefact, digest, [pem])).endsAtMicros;
  } catch {
    // It leads to no certificate that was pinned: nobody can judge it.
    return undefined;
  }
}
