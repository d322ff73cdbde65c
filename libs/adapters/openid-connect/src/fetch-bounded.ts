import type { CustomFetch } from 'openid-client';

/** Descriptions, keys and tokens are a few KiB. The provider is one tenant's choice, the memory everybody's. */
const RESPONSE_BYTES_MAX = 1024 * 1024;

/** `fetch` for what a provider responds. Too large, it rejects with a `TypeError`, as for a network fault. */
export const fetchBounded: CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  if (response.body === null) return response;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const piece of response.body as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += piece.byteLength;
    if (size > RESPONSE_BYTES_MAX) throw new TypeError('the response is too large');
    pieces.push(piece);
  }
  const { status, statusText, headers } = response;
  return new Response(new Blob(pieces), { status, statusText, headers });
};
