import { type Io, waitFor } from '../io.ts';
import { UsageError } from '../usage-error.ts';

/** Tells somebody; false when nobody took it. */
export type Webhook = (body: string) => Promise<boolean>;

const ATTEMPTS_MAX = 3;
const TIMEOUT_MS = 10_000;
const PAUSE_MS = 1_000;

/**
 * A webhook at an address that the caller chose: one POST of JSON, which is repeated a few times when it fails. It
 * follows no redirect and reads nothing of the response but its status. Throws `UsageError` for an invalid address.
 */
export function createWebhook(io: Pick<Io, 'fetch' | 'wait'>, address: string): Webhook {
  const isUrl = URL.canParse(address) && ['https:', 'http:'].includes(new URL(address).protocol);
  // The address often holds a secret, so it is never quoted.
  if (!isUrl) throw new UsageError('--webhook must be a URL such as https://host/path');
  return async (body) => {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      if (attempt > 1) await waitFor(io, PAUSE_MS * 2 ** (attempt - 2));
      if (await post(io, address, body)) return true;
    }
    return false;
  };
}

async function post(io: Pick<Io, 'fetch'>, address: string, body: string): Promise<boolean> {
  try {
    const response = await io.fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
