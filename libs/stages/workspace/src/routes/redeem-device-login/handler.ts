import { parseDeviceCode } from '@answer-evidence/access';
import { type LoginReply, ServiceError } from '@answer-evidence/contracts';
import { redeemDeviceLogin } from '@answer-evidence/contracts/operations';
import { EncodingError, formatHex } from '@answer-evidence/encoding';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { inTurnOfAddress, type WorkspaceDeps } from '../../deps.ts';
import { deviceCodeNotValid } from '../../device/find-for-session.ts';
import { toProfileResource } from '../../login/to-profile-resource.ts';
import { issueUserToken } from '../../tokens/issue-token.ts';

/** Makes generated token names distinct. */
const NAME_BYTES = 4;

/** `POST /api/auth/device/token`: the token of a sign-in that a person has approved (RFC 8628 section 3.4). */
export function redeemDeviceLoginRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...redeemDeviceLogin,
    async handle(request) {
      const secret = readCode(request.body.device_code);
      const poll = () => deps.deviceLogins.poll(secret, deps.clock.nowMicros());
      const polled = await inTurnOfAddress(deps, request.clientKey(), poll);
      if (polled === undefined) throw deviceCodeNotValid();
      const { login, decision, isTooSoon, intervalSeconds } = polled;
      // The host of another workspace knows nothing of it, whether there is the workspace that it is for or not.
      const hosted = await deps.workspaceOfHost?.(request.header('host'));
      if (hosted !== undefined && login.slug !== undefined && login.slug !== hosted.slug) throw deviceCodeNotValid();
      if (decision?.kind === 'denied')
        throw new ServiceError(
          'access_denied',
          'the person has denied the sign-in; start it again if that was a mistake',
        );
      if (decision === undefined || login.workspaceId === null)
        throw isTooSoon
          ? new ServiceError('slow_down', `wait ${intervalSeconds} s between two questions from now on`)
          : new ServiceError(
              'authorization_pending',
              `nobody has approved it yet; ask again after ${intervalSeconds} s`,
            );
      const [workspace, member] = await Promise.all([
        deps.directory.get(login.workspaceId),
        deps.members.find(login.workspaceId, decision.memberId),
      ]);
      // Used up before there is a token: whatever ends this process in between, no code ever gives two.
      if (member === undefined || !(await deps.deviceLogins.redeem(secret))) throw deviceCodeNotValid();
      const issued = await issueUserToken(
        deps,
        workspace.id,
        { id: decision.memberId },
        login.tokenName ?? `device-${member.row.username.slice(0, 100)}-${formatHex(deps.random.bytes(NAME_BYTES))}`,
        login.tokenLifeSeconds,
        { kind: 'user', id: decision.memberId, token_id: decision.tokenId },
        // Who approved it may have been disabled since, or have another password.
        {
          credentialEntryId: decision.credentialEntryId,
          refusal: new ServiceError('login_failed', 'the member who approved it may not sign in any more; start again'),
        },
      );
      const baseUrl = deps.publicUrl?.(workspace.slug) ?? null;
      const body: LoginReply = {
        ...issued,
        base_url: baseUrl,
        profile: toProfileResource({ member: member.row, workspace }),
      };
      return { status: 200, body };
    },
  });
}

function readCode(code: string): Uint8Array {
  try {
    return parseDeviceCode(code);
  } catch (error) {
    if (error instanceof EncodingError) throw deviceCodeNotValid();
    throw error;
  }
}
