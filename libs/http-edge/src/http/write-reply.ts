import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { SERVICE_VERSION } from '@answer-evidence/contracts';
import type { StreamedContent } from '@answer-evidence/routes';
import type { Exchange } from './exchange.ts';

/** A reply ready to be written. */
export type WrittenReply = {
  readonly status: number;
  readonly contentType: string;
  /** Undefined: no content. */
  readonly body: string | Uint8Array | undefined;
  /** In place of `body`: content that is sent after the head. */
  readonly stream?: StreamedContent | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
};

/** An unread body up to this size is drained to save the connection; a larger one costs more than a new connection. */
const DRAINED_BYTES_MAX = 64 * 1024;
const LINGER_BYTES_MAX = 8 * 1024 * 1024;
const LINGER_MS = 2000;

/** Writes the whole reply with the edge's headers, as one list. Throws before sending for an unwritable one. */
export function writeReply(req: IncomingMessage, res: ServerResponse, exchange: Exchange, reply: WrittenReply): void {
  const { body } = reply;
  const sizeBytes = writeReplyHead(req, res, exchange, reply);
  const sent = req.method === 'HEAD' ? undefined : body;
  if (isUploading(req)) endAfterUpload(req, res, sent);
  // As many bytes as characters: all ASCII, which is written far faster when it need not be encoded.
  else if (typeof sent === 'string' && sent.length === sizeBytes) res.end(sent, 'latin1');
  else res.end(sent);
}

/** Writes status and headers of a reply and returns the size of its body. Throws as `writeReply` does. */
export function writeReplyHead(
  req: IncomingMessage,
  res: ServerResponse,
  exchange: Exchange,
  reply: WrittenReply,
): number {
  const { status, body, stream } = reply;
  const headers: OutgoingHttpHeader[] = [
    'Service-Version',
    SERVICE_VERSION,
    'X-Request-Id',
    exchange.requestId,
    'X-Content-Type-Options',
    'nosniff',
  ];
  if (exchange.rateLimit !== '')
    headers.push('RateLimit-Policy', exchange.rateLimitPolicy, 'RateLimit', exchange.rateLimit);
  if (exchange.transportSecurity !== undefined) headers.push('Strict-Transport-Security', exchange.transportSecurity);
  let cacheControl = 'no-store';
  let vary = '';
  if (exchange.readableBy !== undefined) {
    headers.push(...exchange.readableBy);
    vary = 'Origin';
  }
  for (const name in reply.headers) {
    const value = reply.headers[name];
    if (value === undefined) continue;
    const known = name.toLowerCase();
    if (known === 'cache-control') cacheControl = value;
    else if (known === 'vary') vary = vary === '' ? value : `${value}, ${vary}`;
    // A header list is sent as it is: twice would be twice.
    else if (known !== 'x-content-type-options') headers.push(name, value);
  }
  headers.push('Cache-Control', cacheControl);
  if (vary !== '') headers.push('Vary', vary);
  const sizeBytes = body === undefined ? 0 : sizeOf(body);
  if (body !== undefined) headers.push('Content-Type', reply.contentType, 'Content-Length', sizeBytes);
  else if (stream !== undefined) {
    headers.push('Content-Type', reply.contentType);
    // Without it Node sends chunks.
    if (stream.sizeBytes !== undefined) headers.push('Content-Length', stream.sizeBytes);
  } else if (status !== 204 && status !== 304) headers.push('Content-Length', 0);
  if (isUploading(req) || status === 413) headers.push('Connection', 'close');
  res.writeHead(status, headers);
  return sizeBytes;
}

function sizeOf(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
}

/** Whether more of a body is to come than is worth waiting for, or a caller who asked first may never send it. */
function isUploading(req: IncomingMessage): boolean {
  if (req.complete) return false;
  const { expect, 'content-length': length, 'transfer-encoding': encoding } = req.headers;
  if (encoding !== undefined) return true;
  return length !== undefined && (expect !== undefined || Number(length) > DRAINED_BYTES_MAX);
}

/** Sends the reply and closes once the caller stops sending, within limits: an early close would lose the reply. */
function endAfterUpload(req: IncomingMessage, res: ServerResponse, body: string | Uint8Array | undefined): void {
  if (body === undefined) res.flushHeaders();
  else res.write(body);
  let received = 0;
  const timer = setTimeout(end, LINGER_MS);
  function end(): void {
    clearTimeout(timer);
    req.off('data', count).off('end', end).off('close', end);
    res.end();
  }
  function count(chunk: Uint8Array): void {
    received += chunk.byteLength;
    if (received > LINGER_BYTES_MAX) end();
  }
  req.on('data', count).on('end', end).on('close', end);
  req.resume();
}
