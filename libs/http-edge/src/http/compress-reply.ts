import type { IncomingMessage } from 'node:http';
import { pipeline, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib';
import Negotiator from 'negotiator';
import type { Route } from '@answer-evidence/routes';
import type { WrittenReply } from './write-reply.ts';

/** A content coding: of a body in memory, beside the event loop, and of a stream, whose pieces leave as they come. */
type Coding = {
  compress(body: string | Uint8Array): Promise<Uint8Array>;
  open(): Transform;
};

/** A smaller body is sent sooner as it is. */
const COMPRESSED_BYTES_MIN = 1_024;

/** What our replies are; other content is hashes, or compressed already. */
const COMPRESSIBLE = /^text\/|^application\/(json|jsonl|x-protobuf)\b/;

// The fastest level of each. Hashes are most of our JSON: slower levels save at most a tenth of a page of records.
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const GZIP = { level: 1 };

const asZstd = promisify(zstdCompress);
const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

const CODINGS = {
  zstd: {
    compress: (body) => asZstd(body, ZSTD),
    open: () => createZstdCompress({ ...ZSTD, flush: constants.ZSTD_e_flush }),
  },
  br: {
    compress: (body) => asBrotli(body, BROTLI),
    open: () => createBrotliCompress({ ...BROTLI, flush: constants.BROTLI_OPERATION_FLUSH }),
  },
  gzip: {
    compress: (body) => asGzip(body, GZIP),
    open: () => createGzip({ ...GZIP, flush: constants.Z_SYNC_FLUSH }),
  },
} as const satisfies Readonly<Record<string, Coding>>;

const PREFERRED = Object.keys(CODINGS) as (keyof typeof CODINGS)[];
const AVAILABLE = [...PREFERRED, 'identity'] as const;

/**
 * The reply with `Vary`, where it is of a kind that may be compressed. A strong tag names bytes, and with other bytes
 * it would have to be another one, which `If-Match` would not know: such a reply is small and stays as it is.
 */
export function varyReply(route: Route, reply: WrittenReply): WrittenReply {
  const { headers, contentType } = reply;
  const mayBeCompressed =
    (route.compressReplies ?? route.method === 'GET') &&
    COMPRESSIBLE.test(contentType) &&
    headers?.ETag?.startsWith('"') !== true &&
    headers?.['Cache-Control']?.includes('no-transform') !== true;
  return mayBeCompressed ? { ...reply, headers: { ...headers, Vary: 'Accept-Encoding' } } : reply;
}

/** A reply of `varyReply` in the coding that the caller likes best, where it is worth it. */
export async function compressReply(req: IncomingMessage, reply: WrittenReply): Promise<WrittenReply> {
  const { body, stream } = reply;
  if (!isLarge(reply)) return reply;
  const name = new Negotiator(req).encoding(AVAILABLE, { preferred: PREFERRED });
  if (name === undefined || name === 'identity') return reply;
  const coding = CODINGS[name];
  const headers = { ...reply.headers, 'Content-Encoding': name };
  if (stream !== undefined) return { ...reply, stream: { bytes: compressStream(stream.bytes, coding) }, headers };
  return body === undefined ? reply : { ...reply, body: await coding.compress(body), headers };
}

/** Of a stream, only one whose size is not known: a known one is checked, and shown as progress. */
function isLarge({ body, stream }: WrittenReply): boolean {
  if (stream !== undefined) return stream.sizeBytes === undefined;
  return body !== undefined && body.length >= COMPRESSED_BYTES_MIN;
}

function compressStream(bytes: AsyncIterable<Uint8Array>, coding: Coding): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      // What either side throws comes out of the iteration.
      const compressed: AsyncIterable<Uint8Array> = pipeline(bytes, coding.open(), () => undefined);
      return compressed[Symbol.asyncIterator]();
    },
  };
}
