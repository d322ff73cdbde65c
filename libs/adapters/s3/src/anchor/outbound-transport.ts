import type { ClientRequestArgs, IncomingMessage } from 'node:http';
import { Readable, Writable } from 'node:stream';
import type { OutboundCall, OutboundMethods } from '@answer-evidence/ports';
import type { Transport } from '../create-client.ts';

/** What bounds each request of the client. */
export type TransportLimits = Pick<OutboundCall, 'timeoutMs' | 'bytesMax'> & { readonly signal?: AbortSignal };

/** Headers that the way out writes by itself. */
const FRAMING: readonly string[] = ['host', 'connection', 'content-length', 'content-type'];
const METHODS: readonly OutboundCall['method'][] = ['GET', 'HEAD', 'POST', 'PUT'];

/**
 * Puts the way out in the place of `node:http` for the minio client, so that the addresses, sizes and times of an S3
 * server that a tenant names are judged like those of everybody else. Requests and answers are whole, not streams: both
 * are small here.
 */
export function createOutboundTransport(outbound: OutboundMethods, limits: TransportLimits): Transport {
  function request(options: ClientRequestArgs, respond: (response: IncomingMessage) => void): Writable {
    const chunks: Uint8Array[] = [];
    return new Writable({
      write(chunk: Uint8Array, _encoding, done) {
        chunks.push(chunk);
        done();
      },
      final(done) {
        send(outbound, toCall(options, Buffer.concat(chunks), limits)).then((response) => {
          respond(response);
          done();
        }, done);
      },
    });
  }
  // The client uses nothing of a ClientRequest but the stream and its `error`.
  return { request } as unknown as Transport;
}

function toCall(options: ClientRequestArgs, body: Uint8Array, limits: TransportLimits): OutboundCall {
  const method = METHODS.find((known) => known === options.method);
  if (method === undefined) throw new Error('a method that is not sent');
  const headers = Object.entries(options.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), String(value)] as const,
  );
  const contentType = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const port = options.port === undefined || options.port === null ? '' : `:${options.port}`;
  return {
    ...limits,
    method,
    url: `${options.protocol ?? 'https:'}//${options.host ?? ''}${port}${options.path ?? '/'}`,
    body,
    contentType,
    headers: Object.fromEntries(headers.filter(([name]) => !FRAMING.includes(name))),
  };
}

async function send(outbound: OutboundMethods, call: OutboundCall): Promise<IncomingMessage> {
  const { status, body, headers } = await outbound.send(call);
  const stream = Readable.from(body.length === 0 ? [] : [Buffer.from(body)]);
  // Of an IncomingMessage, the client reads the status, the headers and the stream.
  return Object.assign(stream, { statusCode: status, headers }) as unknown as IncomingMessage;
}
