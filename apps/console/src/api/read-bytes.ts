import { ApiError, UnreachableError } from '@answer-evidence/client';
import { problem } from '@answer-evidence/contracts';
import { PROXY } from './open-client.ts';

/** What the API has at a path, byte for byte: a verifier must get what was published. */
export async function readBytes(path: string): Promise<Uint8Array> {
  const response = await fetch(PROXY + path, { redirect: 'error' }).catch((error: unknown) => {
    throw new UnreachableError(location.origin, 'connection failed', 1, error);
  });
  if (response.ok) return new Uint8Array(await response.arrayBuffer());
  const parsed = problem.safeParse(await response.json().catch(() => null));
  throw parsed.success
    ? new ApiError(response.status, parsed.data.detail, parsed.data)
    : new ApiError(response.status, 'the response does not come from this service');
}
