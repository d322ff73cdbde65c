import { ServiceError, type TrustPolicyCore } from '@answer-evidence/contracts';
import type { AppendCommand, Write } from '../append-command.ts';
import { placeWorkspaceEntry } from './workspace-entry.ts';

/**
 * Changes the trust policy. `core` is the whole policy from here on, made from the version `knownVersion`, or why the
 * change is refused; `secrets` is what is sealed along with it, in a table of its own. Prepared again when another
 * change came first. The policy is in the log because what it required at which time is itself evidence.
 */
export function createPolicyCommand(
  workspaceId: string,
  knownVersion: number,
  core: TrustPolicyCore | ServiceError,
  secrets: readonly Write[],
): AppendCommand {
  const placed =
    core instanceof ServiceError
      ? undefined
      : placeWorkspaceEntry(workspaceId, { type: 'trust_policy_changed', seq: core.version, core });
  return {
    subject: workspaceId,
    entryIds: placed === undefined ? [] : [placed.entry.id],
    settingsVersion: null,
    reads: { series: 'trust_policy_changed' },
    sizeBytes: 20_000,
    decide(view) {
      if (view.lastOf('trust_policy_changed') !== knownVersion) return { kind: 'reprepare' };
      if (placed === undefined) return { kind: 'refuse', error: core as ServiceError };
      return { kind: 'append', entries: [placed.entry], writes: [placed.write, ...secrets] };
    },
  };
}
