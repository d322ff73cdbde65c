import { ApiError, type Client } from '@answer-evidence/client';
import type { DeviceLoginRequest, LoginReply } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { waitFor } from '../io.ts';
import { UsageError } from '../usage-error.ts';

/** What the service adds to the interval of a device that asks too often (RFC 8628 section 3.5), in seconds. */
const SLOWER_SECONDS = 5;

/**
 * Signs in by a person who approves it in a browser, anywhere. Shows where and with which code, and asks until it is
 * decided. Throws `UsageError` where the host has no such sign-in, and `ApiError` when it is denied or has expired.
 */
export async function loginByDevice(
  context: Context,
  client: Client,
  request: DeviceLoginRequest,
): Promise<LoginReply> {
  if ((await client.describeHost()).device_login !== true)
    throw new UsageError('this host has no sign-in by a browser: leave out --device');
  const begun = await client.auth.beginDevice(request);
  context.keepSecret(begun.device_code);
  context.note(`Open ${begun.verification_url} in a browser, sign in, and type this code: ${begun.user_code}`);
  context.note(`Waiting for your approval, at most ${Math.round(begun.expires_in_seconds / 60)} minutes.`);
  for (let seconds = begun.interval_seconds; ;) {
    await waitFor(context.io, seconds * 1000);
    try {
      return await client.auth.redeemDevice(begun.device_code);
    } catch (error) {
      const code = error instanceof ApiError ? error.problem?.code : undefined;
      if (code === 'slow_down') seconds += SLOWER_SECONDS;
      else if (code !== 'authorization_pending') throw error;
    }
  }
}
