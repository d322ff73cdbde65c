import { ServiceError } from '@answer-evidence/contracts';
import { keysSigning, type LogKeyChange, type LogRenaming, rangesOf, splitByName } from '@answer-evidence/ledger';
import { algorithmOfLogKey, formatCheckpoint, messageOfLogKey, parseVkey, signText } from '@answer-evidence/note';
import { formatStatement } from '@answer-evidence/reconciliation';
import { LogKeyError } from './log-key-service.ts';
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
  const keys = rangesOf(firstVkey, changes).map((range, n) => {
    const signer = n === 0 ? vault.firstLedgerKey : open(range.vkey);
    return { ...range, ...signer, algorithm: algorithmOfLogKey(parseVkey(range.vkey)) };
  });
  if (keys.every(({ algorithm, lastTreeSize }) => algorithm !== 'ed25519' || lastTreeSize !== null))
    throw new StoredDamageError('the log has no live key');
  const ofReceipts = keys.filter(({ algorithm }) => algorithm === 'ed25519');
  return {
    keys,
    changes: history.filter(({ change }) => change !== 'renamed').length,
    earlier,
    sign: ({ size, root }) => signBy(formatCheckpoint({ origin, size, root }), keysSigning(keys, size)),
    signReceipt: ({ size, root }) => signBy(formatCheckpoint({ origin, size, root }), keysSigning(ofReceipts, size)),
    signRun: (statement, treeSize) => signBy(formatStatement(statement), keysSigning(ofReceipts, treeSize)),
  };
}

type SigningKey = Pick<LedgerSigner, 'sign'> & { readonly vkey: string };

/** The note at once if every key is in this process, else when the last of them has signed. */
function signBy(text: string, keys: readonly SigningKey[]): string | Promise<string> {
  const signatures = keys.map(({ vkey, sign }) => sign(messageOfLogKey(text, parseVkey(vkey))));
  const noteOf = (all: readonly Uint8Array[]) =>
    signText(
      text,
      keys.map(({ vkey }, n) => ({ vkey, sign: () => all[n] ?? new Uint8Array() })),
    );
  return areThere(signatures)
    ? noteOf(signatures)
    : Promise.all(signatures.map(async (signature) => signature)).then(noteOf, refuseToSign);
}

/** What a caller is told of a key that did not sign; the cause is for the operator. */
function refuseToSign(cause: unknown): never {
  if (!(cause instanceof LogKeyError)) throw cause;
  const detail =
    cause.kind === 'away'
      ? 'what signs for the log does not respond; retry the same request'
      : 'what signs for the log refuses to; tell the operator, and retry the same request';
  throw new ServiceError('receipt_unavailable', detail, { remedy: 'retry', cause });
}

function areThere(signatures: readonly (Uint8Array | Promise<Uint8Array>)[]): signatures is readonly Uint8Array[] {
  return !signatures.some((signature) => signature instanceof Promise);
}
