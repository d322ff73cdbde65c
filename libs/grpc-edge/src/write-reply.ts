import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2';

/** A status as it goes out; `details`: a `google.rpc.Status` in protobuf, which says it again and more. */
export type CallStatus = { readonly code: number; readonly message: string; readonly details?: Uint8Array };

const OK = 0;
/** What a sender may have under way without being told that more may come: the first window of HTTP/2. */
const DISCARDED_BYTES_MAX = 65_535;
const DISCARD_MS = 1_000;
const HEADERS: OutgoingHttpHeaders = {
  ':status': 200,
  'content-type': 'application/grpc+proto',
  'grpc-accept-encoding': 'identity,gzip',
};

/** Sends a message and the status OK. */
export function writeMessage(stream: ServerHttp2Stream, message: Uint8Array): void {
  if (!isOpen(stream)) return;
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  stream.respond(HEADERS, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': OK }));
  stream.end(Buffer.concat([prefix, message]));
}

/** Sends a status in place of a message, and takes no more of the request. */
export function writeStatus(stream: ServerHttp2Stream, { code, message, details }: CallStatus): void {
  if (!isOpen(stream)) return;
  const headers: OutgoingHttpHeaders = { ...HEADERS, 'grpc-status': code, 'grpc-message': formatText(message) };
  if (details !== undefined) headers['grpc-status-details-bin'] = Buffer.from(details).toString('base64');
  end(stream, headers);
}

/** Answers what is no call of gRPC, as HTTP does. */
export function writeHttpError(stream: ServerHttp2Stream, status: number, text: string): void {
  if (!isOpen(stream)) return;
  stream.respond({ ':status': status, 'content-type': 'text/plain' });
  stream.end(`${text}\n`);
}

function isOpen(stream: ServerHttp2Stream): boolean {
  return !stream.destroyed && !stream.closed && !stream.headersSent;
}

/**
 * A refused message that is small ends as its sender meant it to: a proxy may take a stream that is reset, although
 * without an error, for one that has failed. The rest of a large one, or of one that is slow, is not waited for.
 */
function end(stream: ServerHttp2Stream, headers: OutgoingHttpHeaders): void {
  stream.respond(headers, { endStream: true });
  let discardedBytes = 0;
  const reset = (): void => stream.close(constants.NGHTTP2_NO_ERROR);
  const timer = setTimeout(reset, DISCARD_MS);
  stream.once('close', () => clearTimeout(timer));
  stream.on('data', (chunk: Uint8Array) => {
    discardedBytes += chunk.length;
    if (discardedBytes > DISCARDED_BYTES_MAX) reset();
  });
  stream.resume();
}

/** Percent-encoded, as the protocol asks for: everything but printable ASCII, and the sign itself. */
function formatText(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%(2[0-46-9A-F]|3[A-F]|40|5[B-F]|60|7[B-E])/g, (_, hex) =>
    String.fromCharCode(parseInt(hex as string, 16)),
  );
}
