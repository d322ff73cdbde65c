import { concatBytes, trimSlashes } from '@answer-evidence/encoding';
import type { ReadTlog } from '@answer-evidence/verify';

/** A bundle has 256 entries, each of at most 65,535 bytes after its length; a tile has 256 hashes of 32 bytes. */
const ENTRIES_MAX_BYTES = 256 * (2 + 0xffff);
const TILE_MAX_BYTES = 256 * 32;
const TIMEOUT_MS = 120_000;

/**
 * Reads a log under a URL over HTTP, without following redirects. `headers` go along, such as an authorization for a
 * log that is not public. Rejects with an `Error` for a status other than 200 and 404, for a host that does not respond
 * within two minutes, and for a body that is larger than such a resource can be: the host is not trusted with memory.
 */
export function readLogAt(url: string | URL, headers: Readonly<Record<string, string>> = {}): ReadTlog {
  const base = trimSlashes(String(url));
  return async (path) => {
    const response = await fetch(`${base}/${path}`, {
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok)
      return readBounded(response, path.startsWith('tile/entries/') ? ENTRIES_MAX_BYTES : TILE_MAX_BYTES);
    await response.body?.cancel();
    if (response.status === 404) return undefined;
    throw new Error(`the log responded with status ${response.status} for ${path}`);
  };
}

async function readBounded({ body }: Response, sizeMax: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    size += value.length;
    if (size > sizeMax) {
      await reader?.cancel();
      throw new Error('the response is larger than any resource of a log');
    }
    pieces.push(value);
  }
  return concatBytes(...pieces);
}
