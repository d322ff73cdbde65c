import { formatHex } from '@answer-evidence/encoding';
import { readRoot } from '@answer-evidence/ledger';
import { parseVkey } from '@answer-evidence/note';
import type { LogSnapshot, OutsideHead, Workspace } from '@answer-evidence/ports';
import type { TrustDeps } from './deps.ts';

/** The database's log is behind or beside what was kept outside, or its key is not the ledger's: nothing may be signed. */
export class HeadRefusedError extends Error {
  override readonly name = 'HeadRefusedError';
}

/**
 * Holds every log against the head kept outside of its database before anything is signed. Throws `HeadRefusedError` when a log
 * is behind that head or does not extend it, or when the signing key is not the one that the log's vkey names.
 */
export async function assertHeadsHold(deps: Pick<TrustDeps, 'directory' | 'logs' | 'outsideHeads'>): Promise<void> {
  for (const workspace of await deps.directory.list()) {
    const first = { vkey: workspace.vkey, publicKey: workspace.vault.ledgerPublicKey };
    for (const { vkey, publicKey } of [first, ...(await deps.logs.signer(workspace.id)).keys]) {
      if (formatHex(parseVkey(vkey).publicKey) !== formatHex(publicKey))
        throw new HeadRefusedError(`the signing key of "${workspace.slug}" is not the key of its ledger`);
    }
    const kept = await deps.outsideHeads.find(workspace.id);
    if (kept !== undefined) await assertExtends(workspace, kept, await deps.logs.snapshot(workspace.id));
  }
}

/** Throws `HeadRefusedError` unless the log holds the tree of the kept head. The snapshot must be the later one of the two. */
export async function assertExtends(workspace: Workspace, kept: OutsideHead, snapshot: LogSnapshot): Promise<void> {
  const { head, nodes } = snapshot;
  if (kept.origin !== workspace.origin)
    throw new HeadRefusedError(
      `the database holds the log ${workspace.origin} of "${workspace.slug}", but the last signed log is ${kept.origin}`,
    );
  if (head.tree_size < kept.treeSize)
    throw new HeadRefusedError(
      `the ledger of "${workspace.slug}" holds ${head.tree_size} entries, but ${kept.treeSize} were signed: the database is older than its log`,
    );
  if (formatHex(await readRoot(nodes, kept.treeSize)) !== kept.rootHash)
    throw new HeadRefusedError(
      `the ledger of "${workspace.slug}" differs from the one signed at size ${kept.treeSize}`,
    );
}
