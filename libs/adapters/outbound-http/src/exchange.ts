import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { type OutboundCall, OutboundError, type OutboundReply } from '@answer-evidence/ports';
import type { JudgedUrl } from './judge-url.ts';
import { type PinnedAddress, pinTo } from './resolve-judged.ts';

/** One request to judged addresses. */
export type Exchange = {
  readonly judged: JudgedUrl;
  readonly addresses: readonly PinnedAddress[];
  readonly call: OutboundCall;
  readonly signal: AbortSignal;
  readonly ca: string | undefined;
};

const HEADER_BYTES_MAX = 16 * 1024;
/** Interim answers (1xx) before the answer; a peer may send them without end. */
const INTERIM_MAX = 8;

/** Sends and reads the answer. Rejects with `OutboundError`, and leaves no connection behind either way. */
export function exchange(options: Exchange): Promise<OutboundReply> {
  return new Promise((resolve, reject) => {
    const sent = open(options);
    function fail(error: unknown): void {
      reject(toOutboundError(error));
      sent.destroy();
    }
    let interim = 0;
    sent.on('information', () => {
      if (++interim > INTERIM_MAX) fail(new OutboundError('malformed', 'no response arrived'));
    });
    // Without a listener, Node would hand over the connection to nobody and leave the request open.
    sent.on('upgrade', (_, socket) => {
      socket.destroy();
      fail(new OutboundError('malformed', 'the response switches protocols'));
    });
    sent.on('response', (response) => {
      readAnswer(response, options.call).then(resolve, fail);
    });
    sent.on('error', fail);
    sent.end(options.call.body);
  });
}

function open({ judged: { url, host }, addresses, call, signal, ca }: Exchange): ClientRequest {
  const options = {
    method: call.method,
    host,
    port: url.port,
    path: url.pathname + url.search,
    headers: {
      ...call.headers,
      Host: url.host,
      ...(call.contentType === '' ? {} : { 'Content-Type': call.contentType }),
      'Content-Length': call.body.byteLength,
      Connection: 'close',
    },
    lookup: pinTo(addresses),
    maxHeaderSize: HEADER_BYTES_MAX,
    signal,
  };
  // Agents of their own: the global ones may use proxies of the environment, and keep connections.
  if (url.protocol === 'http:') return requestHttp({ ...options, agent: new HttpAgent({ keepAlive: false }) });
  // Said outright, since the environment can turn the check off (NODE_TLS_REJECT_UNAUTHORIZED).
  const trust = ca === undefined ? {} : { ca };
  return requestHttps({
    ...options,
    ...trust,
    rejectUnauthorized: true,
    agent: new HttpsAgent({ keepAlive: false }),
  });
}

async function readAnswer(response: IncomingMessage, { method, bytesMax }: OutboundCall): Promise<OutboundReply> {
  const announced = Number(response.headers['content-length'] ?? 0);
  // The answer to a HEAD announces what a GET would bring.
  if (method !== 'HEAD' && announced > bytesMax) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > bytesMax) throw tooLarge();
    chunks.push(chunk);
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.byteLength;
  }
  const contentType = response.headers['content-type'] ?? '';
  return { status: response.statusCode ?? 0, contentType, body, headers: readHeaders(response) };
}

function readHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  );
  return Object.fromEntries(entries);
}

function tooLarge(): OutboundError {
  return new OutboundError('too_large', 'the response is larger than allowed');
}

function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  const options = { cause: error };
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new OutboundError('too_large', 'the response headers are larger than allowed', options);
  }
  if (code.startsWith('HPE_')) return new OutboundError('malformed', 'the response is not HTTP', options);
  if (code === 'ABORT_ERR') return new OutboundError('timed_out', 'no complete response arrived in time', options);
  return new OutboundError('unreachable', 'the connection failed', options);
}

/** By shape: an error of the system may be of another realm. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
