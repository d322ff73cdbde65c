import { type Actor, type LedgerKeyCore, ServiceError } from '@answer-evidence/contracts';
import { type AppendCommand, createKeyCommand, LIVE_KEYS_MAX } from '@answer-evidence/ledger';
import { createVkey, ED25519, formatVkey } from '@answer-evidence/note';
import { type IdSource, LogKeyError, newCoreIdentity, type TreeSigner, type Workspace } from '@answer-evidence/ports';

type Change = { readonly source: IdSource; readonly workspace: Workspace; readonly actor: Actor };

/** A key that is made and not yet in the log. */
type NewLogKey = Awaited<ReturnType<Workspace['vault']['createLedgerKey']>>;

/**
 * Makes a key at the first call; further ones get the same, so that a command that is prepared again makes no other.
 */
export function keyMaker({ vault, origin }: Workspace): () => Promise<NewLogKey> {
  let made: Promise<NewLogKey> | undefined;
  return () =>
    (made ??= vault
      .createLedgerKey((publicKey) => formatVkey(createVkey(origin, ED25519, publicKey)))
      .catch((cause: unknown) => {
        if (!(cause instanceof LogKeyError)) throw cause;
        const detail = 'no key was added: what makes keys of logs does not make one now; tell the operator, and retry';
        throw new ServiceError('ledger_unavailable', detail, { remedy: 'retry', cause });
      }));
}

/** Prepares a further key of the log, which signs beside the one that there is. Refused while two sign already. */
export async function prepareKeyAddition(
  { source, workspace, actor }: Change,
  signer: TreeSigner,
  createKey: () => Promise<NewLogKey>,
): Promise<AppendCommand> {
  if (liveKeysOf(signer).length >= LIVE_KEYS_MAX)
    return refuse(workspace, signer, 'log_key_conflict', 'two keys already sign; retire the older one first');
  const { name: vkey, wrapped } = await createKey();
  const core: LedgerKeyCore = { ...newCoreIdentity(source), vkey, change: 'added', actor };
  return createKeyCommand(workspace.id, signer.changes, core, { vkey, wrapped_seed: wrapped });
}

/** Prepares the end of a key. Refused for the last one that signs, and for one that does not sign. */
export function prepareKeyRetirement(
  { source, workspace, actor }: Change,
  signer: TreeSigner,
  vkey: string,
): AppendCommand {
  if (!signer.keys.some((key) => key.vkey === vkey))
    return refuse(workspace, signer, 'not_found', 'the log has no such key; list them with GET /api/trust/keys');
  const live = liveKeysOf(signer);
  if (!live.some((key) => key.vkey === vkey))
    return refuse(workspace, signer, 'log_key_conflict', 'this key is already retired; do not retry');
  if (live.length === 1)
    return refuse(workspace, signer, 'log_key_conflict', 'this is the only key that signs; add another one first');
  const core: LedgerKeyCore = { ...newCoreIdentity(source), vkey, change: 'retired', actor };
  return createKeyCommand(workspace.id, signer.changes, core, undefined);
}

function liveKeysOf({ keys }: TreeSigner) {
  return keys.filter(({ lastTreeSize }) => lastTreeSize === null);
}

function refuse(
  workspace: Workspace,
  signer: TreeSigner,
  code: 'log_key_conflict' | 'not_found',
  detail: string,
): AppendCommand {
  return createKeyCommand(workspace.id, signer.changes, new ServiceError(code, detail), undefined);
}
