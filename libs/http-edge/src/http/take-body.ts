import type { IncomingMessage, ServerResponse } from 'node:http';
import { gunzip } from 'node:zlib';
import { ServiceError } from '@answer-evidence/contracts';
import type { ByteBudget, ByteLease, Route } from '@answer-evidence/routes';
import { assertMediaType } from './media-type.ts';
import { bodyTooLarge, overloaded, readBody, UNCOUNTED_BYTES } from './read-body.ts';

/**
 * Memory for the body of a request, of the route's budget, or of `shared`, of which it takes as it comes, where it can become large and the route
 * has none. Throws `overloaded` when it is not there now.
 */
export function leaseBody(
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
 * The body of a route that takes bytes. Throws `media_type_not_supported` before it is read, `body_too_large` for one that is too large as
 * it came or undone, `malformed_request` for one that is not what its coding says, and `overloaded`.
 */
export async function takeBytes(
  route: Route,
  req: IncomingMessage,
  res: ServerResponse,
  bytesMax: number,
  lease: ByteLease | undefined,
): Promise<Uint8Array> {
  if (route.bodyTypes !== undefined) assertMediaType(req.headers, route.bodyTypes);
  const isGzip = route.bodyMayBeGzip === true && isGzipCoded(req.headers['content-encoding']);
  const bytes = await readBody(req, res, bytesMax);
  if (!isGzip || bytes.byteLength === 0) return bytes;
  // What a body says of its size is only a hint. One that lies takes no more than `bytesMax` for the moment, and few are undone at once.
  const expected = Math.min(saidSize(bytes), bytesMax);
  if (lease?.grow(expected) === false) throw overloaded();
  const undone = await undoGzip(bytes, bytesMax);
  if (lease?.grow(Math.max(0, undone.byteLength - expected)) === false) throw overloaded();
  return undone;
}

/** RFC 9110, section 8.4.1. Throws for another coding, and for more than one. */
function isGzipCoded(coding: string | undefined): boolean {
  switch (coding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return false;
    case 'gzip':
    case 'x-gzip':
      return true;
    default:
      throw new ServiceError('media_type_not_supported', 'gzip is the only supported Content-Encoding');
  }
}

/** RFC 1952: the last four bytes are the size before compression, of the last member. */
function saidSize(bytes: Uint8Array): number {
  if (bytes.byteLength < 4) return 0;
  return new DataView(bytes.buffer, bytes.byteOffset + bytes.byteLength - 4, 4).getUint32(0, true);
}

function undoGzip(bytes: Uint8Array, bytesMax: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    gunzip(bytes, { maxOutputLength: bytesMax }, (error, undone) => {
      if (error === null) resolve(undone);
      else if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') reject(bodyTooLarge(bytesMax));
      else reject(new ServiceError('malformed_request', 'Content-Encoding is gzip, but the body is not valid gzip'));
    });
  });
}
