import { keysSigning, type LogKeyChange, type LogRenaming, rangesOf, splitByName } from '@answer-evidence/ledger';
import { signText, signTree } from '@answer-evidence/note';
import { formatStatement } from '@answer-evidence/reconciliation';
import { StoredDamageError } from './stored-damage.ts';
import type { TreeSigner, Workspace } from './stores.ts';
import type { LedgerSigner } from './vault.ts';

/** A log's signer from its key and name changes; `open` gives an added key's. Throws `StoredDamageError`. */
export function createTreeSigner(
  workspace: Workspace,
  history: readonly (LogKeyChange | LogRenaming)[],
  open: (vkey: string) => LedgerSigner,
): TreeSigner {
  const { origin, vkey: firstVkey, vault } = workspace;
  const { changes, earlier } = splitByName(history);
  if (earlier.some((name) => name.origin === origin))
    throw new StoredDamageError('the log has another name now, which this process has not read');
  const first: LedgerSigner = { publicKey: vault.ledgerPublicKey, sign: (message) => vault.sign(message) };
  const keys = rangesOf(firstVkey, changes).map((range, n) => {
    const signer = n === 0 ? first : open(range.vkey);
    return { ...range, publicKey: signer.publicKey, sign: (message: string) => signer.sign(message) };
  });
  if (keys.every(({ lastTreeSize }) => lastTreeSize !== null)) throw new StoredDamageError('the log has no live key');
  return {
    keys,
    changes: history.filter(({ change }) => change !== 'renamed').length,
    earlier,
    sign: ({ size, root }) => signTree({ origin, size, root }, keysSigning(keys, size)),
    signRun: (statement, treeSize) => signText(formatStatement(statement), keysSigning(keys, treeSize)),
  };
}
