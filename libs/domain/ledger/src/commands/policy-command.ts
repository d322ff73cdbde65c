import { ServiceError, type TrustPolicyCore, trustPolicyCore } from '@answer-evidence/contracts';
import type { AppendCommand, Write } from '../append-command.ts';
import { createSeriesCommand } from './series-command.ts';

/**
 * Changes the trust policy. `core` is the whole policy from here on, made from the version `knownVersion`, or why the
 * change is refused; `secrets` is what is sealed along with it, in a table of its own. The policy is in the log because
 * what it required at which time is itself evidence.
 */
export function createPolicyCommand(
  workspaceId: string,
  knownVersion: number,
  core: TrustPolicyCore | ServiceError,
  secrets: readonly Write[],
): AppendCommand {
  // Later fields are absent at their defaults.
  const stored = core instanceof ServiceError ? core : trustPolicyCore.encode(core);
  return createSeriesCommand(workspaceId, 'trust_policy_changed', knownVersion, stored, {
    sizeBytes: 20_000,
    writes: () => secrets,
  });
}
