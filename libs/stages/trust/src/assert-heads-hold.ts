import { formatHex } from '@answer-evidence/encoding';
import { readRoot } from '@answer-evidence/ledger';
import { parseVkey } from '@answer-evidence/note';
import { HeadError, type LogSnapshot, type OutsideHead, type Workspace } from '@answer-evidence/ports';
import type { TrustDeps } from './deps.ts';

/** Holds every log against its head kept outside before anything is signed. Throws `HeadError` for a wrong one. */
export async function assertHeadsHold(deps: Pick<TrustDeps, 'directory' | 'logs' | 'headStore'>): Promise<void> {
  for (const workspace of await deps.directory.list()) {
    const first = { vkey: workspace.vkey, publicKey: workspace.vault.ledgerPublicKey };
    for (const { vkey, publicKey } of [first, ...(await deps.logs.signer(workspace.id)).keys]) {
      if (formatHex(parseVkey(vkey).publicKey) !== formatHex(publicKey))
        throw new HeadError('log_refused', `the signing key of "${workspace.slug}" is not the key of its ledger`);
    }
    const kept = await deps.headStore.find(workspace.id);
    if (kept !== undefined) await assertExtends(workspace, kept, await deps.logs.snapshot(workspace.id));
  }
}

/** Throws `HeadError` unless the log holds the tree of the kept head. The snapshot must be the later one of the two. */
export async function assertExtends(workspace: Workspace, kept: OutsideHead, snapshot: LogSnapshot): Promise<void> {
  const { head, nodes } = snapshot;
  if (kept.origin !== workspace.origin)
    throw new HeadError(
      'log_refused',
      `the database holds the log ${workspace.origin} of "${workspace.slug}", but the last signed log is ${kept.origin}`,
    );
  if (head.tree_size < kept.treeSize)
    throw new HeadError(
      'log_refused',
      `the ledger of "${workspace.slug}" holds ${head.tree_size} entries, but ${kept.treeSize} were signed: the database is older than its log`,
    );
  if (formatHex(await readRoot(nodes, kept.treeSize)) !== kept.rootHash)
    throw new HeadError(
      'log_refused',
      `the ledger of "${workspace.slug}" differs from the one signed at size ${kept.treeSize}`,
    );
}
