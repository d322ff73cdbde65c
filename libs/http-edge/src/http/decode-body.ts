import { gunzip } from 'node:zlib';
import { ServiceError } from '@answer-evidence/contracts';
import type { ByteLease } from '@answer-evidence/routes';
import { bodyTooLarge, overloaded } from './read-body.ts';

/** What a byte of deflate can become at most (zlib's technical details). */
const DEFLATE_RATIO_MAX = 1_032;

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
  // The size that a body states is only a hint: one that lies takes no more than so few bytes can become.
  const expected = Math.min(statedSize(bytes), bytes.byteLength * DEFLATE_RATIO_MAX, bytesMax);
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
