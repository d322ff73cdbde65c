import { certificateOf } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { utf8 } from '@answer-evidence/encoding';
import type { StoredAnchor, Workspace } from '@answer-evidence/ports';
import type { AttemptRow } from '@answer-evidence/tables';
import { confirmationOf } from '../anchoring/anchor-state.ts';
import type { TrustDeps } from '../deps.ts';
import { readAnchoredText } from './anchored-text.ts';
import { followToken, openRenewals, type Renewal } from './archive-steps.ts';
import { digestWith, type RenewalHash } from './stored-renewal.ts';

type Deps = Pick<TrustDeps, 'trust' | 'extractToken' | 'verifyTimestamp' | 'turn'>;

/** The tokens that a renewal covers. */
type Gathered = {
  /** Of tokens, or where everything is hashed anew, of the checkpoints that they are over with all that covers them. */
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
 * The tokens since the last renewal, and those of all renewals before. The first renewal by another hash is over all
 * tokens. Those of which a certificate has ended, and that nothing covered before, are left out: nothing would show any
 * more that they are from before. Undefined where there is no token.
 */
export async function gatherTokens(
  deps: Deps,
  workspace: Workspace,
  stored: readonly StoredAnchor[],
  hash: RenewalHash,
  nowMicros: number,
): Promise<Gathered | undefined> {
  const renewals = openRenewals(stored, deps.extractToken, true);
  const newest = new Map<string, Uint8Array>();
  const hashes: Uint8Array[] = [];
  const ends: number[] = [];
  const last = renewals.at(-1);
  for (const renewal of renewals) {
    const endsAt = renewal.made.ends_at;
    if ((endsAt ?? Infinity) <= nowMicros) continue;
    hashes.push(digestWith(hash, renewal.token));
    if (renewal !== last) continue;
    newest.set(renewal.stored.anchor.anchor_id, renewal.made.artefact ?? new Uint8Array());
    if (endsAt !== null) ends.push(endsAt);
  }
  const before = last?.contents.hash === hash ? last : undefined;
  let treeSize = before?.stored.anchor.tree_size ?? 0;
  for (let from = treeSize; hashes.length < TOKENS_MAX; from = treeSize + 1) {
    const trees = await deps.trust.tokenAnchors(workspace.id, from, TREES_AT_ONCE);
    if (trees.length === 0) break;
    for (const one of trees.toReversed()) {
      await deps.turn();
      const token = await readToken(deps, workspace, one);
      const covered = token && (await describeCovered(deps, workspace, one, token, renewals, hash));
      if (token === undefined || covered === undefined || (covered.endsAt ?? Infinity) <= nowMicros) continue;
      if (before?.has(covered.hash) === true) continue;
      hashes.push(covered.hash);
      newest.set(one.anchor.anchor_id, token.artefact);
      if (covered.endsAt !== null) ends.push(covered.endsAt);
    }
    treeSize = Math.max(treeSize, ...trees.map(({ anchor }) => anchor.tree_size));
  }
  if (hashes.length === 0) return undefined;
  const endsAt = ends.reduce<number | null>((first, end) => Math.min(first ?? end, end), null);
  return { hashes, treeSize, endsAt, newest: [...newest.values()] };
}

/**
 * What is covered of a token, and when what shows its age ends (µs); undefined for one of an earlier name of the log.
 */
async function describeCovered(
  deps: Deps,
  workspace: Workspace,
  { anchor }: StoredAnchor,
  { token, endsAt }: Token,
  renewals: readonly Renewal[],
  hash: RenewalHash,
): Promise<{ readonly hash: Uint8Array; readonly endsAt: number | null } | undefined> {
  if (hash === 'sha-256') return { hash: sha256(token), endsAt };
  const text = await readAnchoredText(deps, workspace, anchor.tree_size);
  if (text === undefined) return undefined;
  const { steps, anew } = followToken(renewals, text, token);
  const last = steps.at(-1)?.renewal;
  return { hash: anew, endsAt: last === undefined ? endsAt : last.made.ends_at };
}

type Token = { readonly token: Uint8Array; readonly artefact: Uint8Array; readonly endsAt: number | null };

/** The token of an anchor; undefined where it has none, or one of which nobody can say how long it is good. */
async function readToken(deps: Deps, workspace: Workspace, stored: StoredAnchor): Promise<Token | undefined> {
  const { artefact = null, ends_at: end = null } = confirmationOf(stored) ?? {};
  if (artefact === null) return undefined;
  const endsAt = end ?? (await findEnd(deps, workspace, stored, artefact));
  return endsAt === undefined ? undefined : { token: deps.extractToken(artefact), artefact, endsAt };
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
  const text = await readAnchoredText(deps, workspace, anchor.tree_size);
  if (pem === null || text === undefined) return undefined;
  try {
    return (await deps.verifyTimestamp(artefact, sha256(utf8(text)), [pem])).endsAtMicros;
  } catch {
    // It leads to no certificate that was pinned: nobody can judge it.
    return undefined;
  }
}
