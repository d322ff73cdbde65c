import { formatHex } from '@answer-evidence/encoding';
import { readRoot } from '@answer-evidence/ledger';
import { parseVkey } from '@answer-evidence/note';
import {
  HeadError,
  type HeadStore,
  type KeptClaim,
  type KeptHead,
  type LogSnapshot,
  type LogStore,
  type Workspace,
  type WorkspaceDirectory,
} from '@answer-evidence/ports';
import { describeClaim } from './kept-claims.ts';

/** What a log is held against its kept head with. */
export type HeadDeps = {
  readonly directory: WorkspaceDirectory;
  readonly logs: LogStore;
  readonly headStore: HeadStore;
};

/** Holds every log against the head kept outside of its database. Throws `HeadError` as `assertLogHolds` does. */
export async function assertHeadsHold(deps: HeadDeps): Promise<void> {
  for (const workspace of await deps.directory.list()) await assertLogHolds(deps, workspace);
}

/**
 * Holds one log against the head kept outside of its database, before anything is signed on it. Throws `HeadError` when
 * no head is kept of a log that has entries, when the log is behind the head or does not extend it, when somebody
 * outside has seen more of it, or when the signing key is not the one that the log's vkey names.
 */
export async function assertLogHolds({ logs, headStore }: HeadDeps, workspace: Workspace): Promise<void> {
  const first = { vkey: workspace.vkey, publicKey: workspace.vault.ledgerPublicKey };
  for (const { vkey, publicKey } of [first, ...(await logs.signer(workspace.id)).keys]) {
    if (formatHex(parseVkey(vkey).publicKey) !== formatHex(publicKey))
      throw new HeadError('log_refused', `the signing key of "${workspace.slug}" is not the key of its ledger`);
  }
  const kept = await headStore.find(workspace.id);
  await assertExtends(workspace, kept, await logs.snapshot(workspace.id), headStore.place);
}

/**
 * Throws `HeadError` unless the log holds the tree of the kept head and nothing is held against it. The snapshot must
 * be the later one of the two.
 */
export async function assertExtends(
  workspace: Workspace,
  kept: KeptHead | undefined,
  snapshot: LogSnapshot,
  place: string,
): Promise<void> {
  const { head, nodes } = snapshot;
  if (kept === undefined) {
    if (head.tree_size === 0) return;
    throw new HeadError(
      'head_missing',
      `the ledger of "${workspace.slug}" holds ${head.tree_size} entries, but no head of it is kept in ${place}`,
    );
  }
  if (kept.origin !== workspace.origin)
    throw new HeadError(
      'log_refused',
      `the database holds the log ${workspace.origin} of "${workspace.slug}", but the last signed log is ${kept.origin}`,
    );
  const [twins] = kept.twins;
  if (twins !== undefined) throw new HeadError('log_refused', twins);
  if (head.tree_size < kept.treeSize)
    throw new HeadError(
      'log_refused',
      `the ledger of "${workspace.slug}" holds ${head.tree_size} entries, but ${kept.treeSize} were signed: the database is older than its log`,
    );
  if (formatHex(await readRoot(nodes, kept.treeSize)) !== kept.rootHash)
    throw new HeadError(
      'log_refused',
      `the ledger of "${workspace.slug}" differs from the one signed at size ${kept.treeSize} (kept as ${kept.place})`,
    );
  for (const claim of kept.claims) {
    if (await isMet(claim, snapshot)) continue;
    const words = `${describeClaim(claim)} (kept as ${claim.place})`;
    throw new HeadError('log_disputed', `the ledger of "${workspace.slug}" was rolled back: ${words}`);
  }
}

/**
 * Whether the log holds the very tree that the party has seen, as it does once the right database is back. A party that
 * shows no root is not met by a log that has grown: that may be another history of the same size.
 */
async function isMet({ treeSize, rootHash }: KeptClaim, { head, nodes }: LogSnapshot): Promise<boolean> {
  if (rootHash === undefined || treeSize > head.tree_size) return false;
  return formatHex(await readRoot(nodes, treeSize)) === rootHash;
}
