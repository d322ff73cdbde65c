import { ApiError, UnreachableError } from '@answer-evidence/client';
import { problem } from '@answer-evidence/contracts';
import { CONSOLE_PATH } from './place.ts';

/**
 * What the API has at a path, byte for byte: a verifier must get what was published. A request with a body is an entry
 * of the log, and not only a read.
 */
export async function readBytes(path: string, csrfToken: string, body?: object): Promise<Uint8Array> {
  const sent =
    body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-csrf-token': csrfToken },
          body: JSON.stringify(body),
        };
  const response = await fetch(CONSOLE_PATH + path, { ...sent, redirect: 'error' }).catch((error: unknown) => {
    throw new UnreachableError(location.origin, 'connection failed', 1, error);
  });
  if (response.ok) return new Uint8Array(await response.arrayBuffer());
  const parsed = problem.safeParse(await response.json().catch(() => null));
  throw parsed.success
    ? new ApiError(response.status, parsed.data.detail, parsed.data)
    : new ApiError(response.status, 'the response does not come from this service');
}
