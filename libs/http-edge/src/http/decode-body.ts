import type { IncomingMessage } from 'node:http';
import { gunzip } from 'node:zlib';
import { ServiceError } from '@answer-evidence/contracts';
import type { ByteBudget, ByteLease, Route } from '@answer-evidence/routes';
import { bodyTooLarge, overloaded, UNCOUNTED_BYTES } from './read-body.ts';

/**
 * Reserves memory for the body of a request: the announced size from the route's budget. Where the route has none and
 * the body can become large, the lease is of `shared` and grows as the body arrives. Throws `overloaded` when the
 * memory is not available now.
 */
export function reserveBodyBudget(
  shared: ByteBudget,
  route: Route,
  req: IncomingMessage,
  bytesMax: number,
): ByteLease | undefined {
  if (route.bodyBudget === undefined && bytesMax <= UNCOUNTED_BYTES) return undefined;
  const announced = req.headers['content-length'];
  // A length that is not announced may become the largest; one that is too large is refused before it is read.
  const size = Math.min(announced === undefined ? bytesMax : Number(announced), bytesMax);
  const lease = route.bodyBudget === undefined ? shared.take(0) : route.bodyBudget.take(size);
  if (lease === undefined) throw overloaded();
  return lease;
}

/**
 * What a body of gzip decompresses to; without content, nothing. Throws `body_too_large` as soon as that is more than
 * `bytesMax`, `malformed_request` when it is not valid gzip, and `overloaded`.
 */
export async function decompressBody(
  bytes: Uint8Array,
  bytesMax: number,
  lease: ByteLease | undefined,
): Promise<Uint8Array> {
  if (bytes.byteLength === 0) return bytes;
  // The size that a body states is only a hint. A body that lies takes no more than `bytesMax` for the moment, and few
  // are decompressed at once.
  const expected = Math.min(statedSize(bytes), bytesMax);
  if (lease?.grow(expected) === false) throw overloaded();
  const decompressed = await decompressGzip(bytes, bytesMax);
  if (lease?.grow(Math.max(0, decompressed.byteLength - expected)) === false) throw overloaded();
  return decompressed;
}

/** RFC 1952: the last four bytes are the size before compression, of the last member. */
function statedSize(bytes: Uint8Array): number {
  if (bytes.byteLength < 4) return 0;
  return new DataView(bytes.buffer, bytes.byteOffset + bytes.byteLength - 4, 4).getUint32(0, true);
}

function decompressGzip(bytes: Uint8Array, bytesMax: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    gunzip(bytes, { maxOutputLength: bytesMax }, (error, decompressed) => {
      if (error === null) resolve(decompressed);
      else if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') reject(bodyTooLarge(bytesMax));
      else
        reject(
          new ServiceError(
            'malformed_request',
            'Content-Encoding is gzip, but the body is not valid gzip; send it whole or uncompressed',
          ),
        );
    });
  });
}
