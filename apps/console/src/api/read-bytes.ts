import { send, withToken } from './send.ts';

/**
 * What the API has at a path, byte for byte: a verifier must get what was published. A request with a body is an entry
 * of the log, and not only a read.
 */
export async function readBytes(path: string, csrfToken: string, body?: object): Promise<Uint8Array> {
  const sent = body === undefined ? ({ method: 'GET' } as const) : ({ method: 'POST', body } as const);
  return (await send({ ...sent, path, headers: withToken(csrfToken), repeat: 'unprocessed' })).bytes;
}
