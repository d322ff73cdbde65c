import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { WrittenReply } from './write-reply.ts';

/** A smaller reply is sent sooner as it is. */
const CODED_BYTES_MIN = 1024;

const gzipAside = promisify(gzip);

/** The reply as gzip, for a caller who accepts that and where it is worth it. */
export async function codeReply(req: IncomingMessage, reply: WrittenReply): Promise<WrittenReply> {
  const headers = { ...reply.headers, Vary: 'Accept-Encoding' };
  const { body } = reply;
  if (body === undefined || body.length < CODED_BYTES_MIN || !acceptsGzip(req.headers['accept-encoding']))
    return { ...reply, headers };
  return { ...reply, body: await gzipAside(body), headers: { ...headers, 'Content-Encoding': 'gzip' } };
}

/** RFC 9110, section 12.5.3, for the one coding that is offered. */
function acceptsGzip(header: string | readonly string[] | undefined): boolean {
  const weights = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((part): [string, boolean] => {
        const [coding = '', ...parameters] = part.split(';');
        return [coding.trim(), !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter))];
      }),
  );
  return weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? false;
}
