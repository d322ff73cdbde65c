import { connect, type IncomingHttpHeaders } from 'node:http2';
import { buffer } from 'node:stream/consumers';
import type { Scene } from './scene.ts';

const PATH = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const PREFIX_BYTES = 5;

/** Exports traces over gRPC, on a connection of its own: 200, or 400 and the status of gRPC. */
export async function callGrpc({ grpcPort, ours }: Scene, message: Uint8Array): Promise<number> {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, 1);
  const session = connect(`http://127.0.0.1:${grpcPort}`).on('error', () => undefined);
  try {
    const stream = session.request({
      ...{ ':method': 'POST', ':path': PATH, 'content-type': 'application/grpc', te: 'trailers' },
      authorization: `Bearer ${ours.first}`,
    });
    let status = 0;
    stream.on('trailers', (trailers: IncomingHttpHeaders) => (status = Number(trailers['grpc-status'])));
    stream.on('response', (headers) => (status = Number(headers['grpc-status'] ?? 0)));
    stream.end(Buffer.concat([prefix, message]));
    await buffer(stream);
    return status === 0 ? 200 : 400 + status;
  } finally {
    session.destroy();
  }
}
