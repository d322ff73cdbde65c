import {
  type Actor,
  type AnchorRequest,
  type PutTrustPolicyRequest,
  secretOf,
  ServiceError,
  type TrustPolicyCore,
  type TrustPolicyValues,
  withoutSecret,
} from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import { type AppendCommand, createPolicyCommand, type Write } from '@answer-evidence/ledger';
import { type IdSource, newCoreIdentity, type VersionedTrustPolicy, type Workspace } from '@answer-evidence/ports';
import { isMatch } from '@answer-evidence/routes';
import { formatPolicyTag } from './to-policy-resource.ts';

/** A change as it goes to the log, with the policy that holds when it was not refused. */
type PolicyCommand = AppendCommand & { readonly after: VersionedTrustPolicy };

/**
 * Prepares the whole policy that a manager sends, on top of the one in force. A refusal is left to the command, so that
 * it counts only when the policy turns out to be in force under the lock; else everything is judged again. What changes
 * nothing appends nothing.
 */
export function preparePolicyChange(
  source: IdSource,
  workspace: Workspace,
  current: VersionedTrustPolicy,
  wanted: { readonly policy: PutTrustPolicyRequest; readonly ifMatch: string | undefined },
  actor: Actor,
): PolicyCommand {
  const refusal = judgeVersion(current, wanted.policy.version, wanted.ifMatch);
  if (refusal !== undefined)
    return { ...createPolicyCommand(workspace.id, current.version, refusal, []), after: current };
  const values = valuesOf(wanted.policy, current.values);
  const identity = newCoreIdentity(source);
  const secrets = sealSecrets(workspace, identity.id, wanted.policy.anchors);
  if (secrets.length === 0 && canonicalize(values) === canonicalize(current.values))
    return { ...createUnchangedCommand(workspace.id, current.version), after: current };
  const version = current.version + 1;
  const core: TrustPolicyCore = { ...identity, version, policy: values, actor };
  return {
    ...createPolicyCommand(workspace.id, current.version, core, secrets),
    after: { version, values, updatedAt: null },
  };
}

function judgeVersion(
  current: VersionedTrustPolicy,
  version: number | undefined,
  ifMatch: string | undefined,
): ServiceError | undefined {
  if (!isMatch(ifMatch, formatPolicyTag(current.version)))
    return new ServiceError('precondition_failed', 'the trust policy has changed; read it again');
  if (version === undefined || version === current.version) return undefined;
  const detail = `must be the current version, ${current.version}`;
  return new ServiceError('version_conflict', detail, { errors: [{ pointer: '/version', detail }] });
}

function valuesOf(policy: PutTrustPolicyRequest, current: TrustPolicyValues): TrustPolicyValues {
  const { version: _version, updated_at: _updatedAt, anchors, log_signatures: signatures, ...rest } = policy;
  return { ...rest, anchors: anchors.map(withoutSecret), log_signatures: signatures ?? current.log_signatures };
}

function sealSecrets(workspace: Workspace, objectId: string, anchors: readonly AnchorRequest[]): readonly Write[] {
  return anchors.flatMap((anchor): readonly Write[] => {
    const given = secretOf(anchor);
    if (given === undefined) return [];
    const key = workspace.vault.createObjectKey(objectId);
    const secret = key.seal(anchorSecretField(anchor.id), given);
    const row = { anchor_id: anchor.id, object_id: objectId, wrapped_key: key.wrapped, secret };
    return [{ kind: 'replace', table: 'anchor_secrets', row }];
  });
}

/** The field that an anchor's secret is sealed as. */
export function anchorSecretField(anchorId: string): string {
  return `anchor-secret/${anchorId}`;
}

/** Appends nothing, and so says that the policy is what the caller wants it to be, if it still is. */
function createUnchangedCommand(workspaceId: string, version: number): AppendCommand {
  return {
    subject: workspaceId,
    entryIds: [],
    settingsVersion: null,
    reads: { series: 'trust_policy_changed' },
    sizeBytes: 0,
    decide: (view) =>
      view.lastOf('trust_policy_changed') === version
        ? { kind: 'replay', objectId: workspaceId }
        : { kind: 'reprepare' },
  };
}
