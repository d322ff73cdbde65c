import type { Call } from '@answer-evidence/client';
import { send, withToken } from './send.ts';

/**
 * What the API responds to a call, byte for byte: a verifier must get what was published. A request with a body is an
 * entry of the log, and not only a read.
 */
export async function readBytes(call: Call, csrfToken: string): Promise<Uint8Array> {
  return (await send({ ...call, ...withToken(csrfToken) })).bytes;
}
