import { parseUserCode } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import { readOr } from '@answer-evidence/encoding';
import type { DeviceLoginRow } from '@answer-evidence/ports';
import type { ConsoleSessionDeps } from '../console/deps.ts';
import type { OpenSession } from '../console/find-session.ts';

/** A sign-in that waits for this member's workspace, and the code that it waits under. */
type FoundDeviceLogin = { readonly userCode: string; readonly login: DeviceLoginRow };

/**
 * Finds the sign-in of a code that somebody typed. Each code that is wrong counts as a wrong password of the member
 * does, so that nobody finds a sign-in by trying. Throws `device_code_not_valid` and `rate_limited`.
 */
export async function getForSession(
  deps: Pick<ConsoleSessionDeps, 'deviceLogins' | 'loginThrottle' | 'clock'>,
  place: { clientKey(): string },
  { workspace, member }: OpenSession,
  typed: string,
): Promise<FoundDeviceLogin> {
  const attempt = await deps.loginThrottle.begin(`device\n${workspace.id}\n${member.id}`, place.clientKey());
  const userCode = readUserCode(typed);
  let login: DeviceLoginRow | undefined;
  try {
    login =
      userCode === undefined
        ? undefined
        : await deps.deviceLogins.findPending(workspace.id, userCode, deps.clock.nowMicros());
  } catch (error) {
    // Nobody has learnt anything of the code.
    await attempt.withdraw();
    throw error;
  }
  if (userCode === undefined || login === undefined) throw deviceCodeNotValid();
  await attempt.withdraw();
  return { userCode, login };
}

/** What is said of a code that is wrong, has expired, was used, or belongs to another workspace. */
export function deviceCodeNotValid(): ServiceError {
  return new ServiceError(
    'device_code_not_valid',
    'no sign-in waits under this code; check the code, or start the sign-in again',
  );
}

function readUserCode(typed: string): string | undefined {
  return readOr(() => parseUserCode(typed), undefined);
}
