import { type Actor, type LedgerKeyCore, type LogKeyAlgorithm, ServiceError } from '@answer-evidence/contracts';
import { type AppendCommand, createKeyCommand, LIVE_KEYS_MAX } from '@answer-evidence/ledger';
import { COSIGNATURE_ML_DSA_44, createVkey, ED25519, formatVkey } from '@answer-evidence/note';
import {
  type IdSource,
  LogKeyError,
  newCoreIdentity,
  type TreeSigner,
  type TrustStore,
  type Workspace,
} from '@answer-evidence/ports';

type Change = {
  readonly source: IdSource;
  readonly workspace: Workspace;
  readonly actor: Actor;
  /** Whether the policy in force asks for ML-DSA-44 beside Ed25519. */
  readonly isHybrid: boolean;
};

/** Keys in an HSM or a service of keys that one log may ever have. */
const OUTSIDE_KEYS_MAX = 50;

/** A key that is made and not yet in the log. */
type NewLogKey = Awaited<ReturnType<Workspace['vault']['createLedgerKey']>>;

/** A change of the log's keys by somebody, under the policy in force. */
export async function prepareChange(
  deps: IdSource & { readonly trust: Pick<TrustStore, 'policy'> },
  workspace: Workspace,
  actor: Actor,
): Promise<Change> {
  const { values } = await deps.trust.policy(workspace.id);
  return { source: deps, workspace, actor, isHybrid: values.log_signatures === 'hybrid' };
}

/** The type of the vkeys of an algorithm. */
const VKEY_TYPES: Readonly<Record<LogKeyAlgorithm, number>> = {
  ed25519: ED25519,
  'ml-dsa-44': COSIGNATURE_ML_DSA_44,
};

/**
 * Makes a key at the first call; further ones get the same, so that a command that is prepared again makes no other.
 */
export function keyMaker({ vault, origin }: Workspace, algorithm: LogKeyAlgorithm): () => Promise<NewLogKey> {
  let made: Promise<NewLogKey> | undefined;
  const nameOf = (publicKey: Uint8Array) => formatVkey(createVkey(origin, VKEY_TYPES[algorithm], publicKey));
  return () =>
    (made ??= vault.createLedgerKey(nameOf, algorithm).catch((cause: unknown) => {
      if (!(cause instanceof LogKeyError)) throw cause;
      const detail = 'no key was added: what makes keys of logs does not make one now; tell the operator, and retry';
      throw new ServiceError('ledger_unavailable', detail, { remedy: 'retry', cause });
    }));
}

/** Prepares a further key of the log, which signs beside those that there are. Refused while two of its kind do. */
export async function prepareKeyAddition(
  { source, workspace, actor, isHybrid }: Change,
  signer: TreeSigner,
  algorithm: LogKeyAlgorithm,
  createKey: () => Promise<NewLogKey>,
): Promise<AppendCommand> {
  if (algorithm === 'ml-dsa-44' && !isHybrid)
    return refuse(
      workspace,
      signer,
      'log_key_conflict',
      'the trust policy must ask for ML-DSA-44 signatures; change its log_signatures to hybrid, which also adds a key',
    );
  if (liveKeysOf(signer, algorithm).length >= LIVE_KEYS_MAX)
    return refuse(workspace, signer, 'log_key_conflict', 'two keys already sign; retire the older one first');
  // They stay where they are for ever, and one workspace must not fill what has those of all.
  const outside = signer.keys.filter(({ examine }) => examine !== undefined);
  if (algorithm === 'ed25519' && outside.length >= OUTSIDE_KEYS_MAX)
    return refuse(
      workspace,
      signer,
      'log_key_conflict',
      `the log has had ${OUTSIDE_KEYS_MAX} keys outside of the service, and may not have more; retire no more, and use the one that signs`,
    );
  const { name: vkey, wrapped } = await createKey();
  const core: LedgerKeyCore = { ...newCoreIdentity(source), vkey, change: 'added', actor };
  return createKeyCommand(workspace.id, signer.changes, core, { vkey, wrapped_seed: wrapped });
}

/**
 * Prepares the end of a key. Refused for the last one that signs, of each algorithm that the policy asks for, and for
 * one that does not sign.
 */
export function prepareKeyRetirement(
  { source, workspace, actor, isHybrid }: Change,
  signer: TreeSigner,
  vkey: string,
): AppendCommand {
  const key = signer.keys.find((candidate) => candidate.vkey === vkey);
  if (key === undefined)
    return refuse(workspace, signer, 'not_found', 'the log has no such key; list them with GET /api/trust/keys');
  if (key.lastTreeSize !== null)
    return refuse(workspace, signer, 'log_key_conflict', 'this key is already retired; do not retry');
  const isNeeded = key.algorithm === 'ed25519' || isHybrid;
  if (isNeeded && liveKeysOf(signer, key.algorithm).length === 1)
    return refuse(workspace, signer, 'log_key_conflict', 'this is the only key that signs; add another one first');
  const core: LedgerKeyCore = { ...newCoreIdentity(source), vkey, change: 'retired', actor };
  return createKeyCommand(workspace.id, signer.changes, core, undefined);
}

/** The keys of an algorithm that sign the log now, oldest first. */
export function liveKeysOf({ keys }: TreeSigner, algorithm: LogKeyAlgorithm): TreeSigner['keys'] {
  return keys.filter((key) => key.algorithm === algorithm && key.lastTreeSize === null);
}

function refuse(
  workspace: Workspace,
  signer: TreeSigner,
  code: 'log_key_conflict' | 'not_found',
  detail: string,
): AppendCommand {
  return createKeyCommand(workspace.id, signer.changes, new ServiceError(code, detail), undefined);
}
