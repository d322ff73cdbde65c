import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream';
import { ServiceError } from '@answer-evidence/contracts';
import { CONSOLE_PLACE } from './console-proxy.ts';

/** RFC 9110 section 7.6.1: what is between two neighbours only. `expect` is answered here. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'];
const PROXY_ONLY = /^proxy-/;
const POLICY = 'content-security-policy';
/** Longer than the longest request of the service. */
const SILENCE_MS_MAX = 600_000;

/** Who asks, and the path of the public address, without a slash at its end. */
type Caller = { readonly clientAddress?: string | undefined; readonly basePath?: string };

/**
 * Sends a request, as it now is, to another process, and its reply back, both as they come. Resolves with the status
 * when the reply is through. Rejects with `overloaded` when nobody is there, and with the cause when it breaks later.
 */
export function sendUpstream(
  upstream: URL,
  req: IncomingMessage,
  res: ServerResponse,
  { clientAddress, basePath = '' }: Caller,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const send = upstream.protocol === 'https:' ? requestHttps : requestHttp;
    const sent = send(
      new URL(upstream.origin),
      {
        method: req.method ?? 'GET',
        path: upstream.pathname.replace(/\/$/, '') + (req.url ?? ''),
        headers: toUpstreamHeaders(req.headers, clientAddress),
        timeout: SILENCE_MS_MAX,
      },
      (reply) => {
        res.writeHead(
          reply.statusCode ?? 502,
          toCallerHeaders(placeHeaders(reply.headers, basePath), res.getHeader(POLICY)),
        );
        pipeline(reply, res, (error) => {
          if (error) reject(error);
          else resolve(reply.statusCode ?? 502);
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('the reply takes too long')));
    sent.on('error', (cause) => {
      const detail = 'the API cannot be reached from the console; retry the same request';
      reject(new ServiceError('overloaded', detail, { remedy: 'retry', cause }));
    });
    // What is left of a body that nobody wants is read, so that the browser's connection can be used again.
    sent.once('close', () => {
      req.unpipe(sent);
      req.resume();
    });
    // Anyone who leaves needs no reply any more.
    res.once('close', () => {
      if (!res.writableFinished) sent.destroy();
    });
    if (req.headers.expect !== undefined) res.writeContinue();
    req.pipe(sent);
  });
}

function toUpstreamHeaders(headers: IncomingHttpHeaders, clientAddress: string | undefined): IncomingHttpHeaders {
  const before = headers['x-forwarded-for'];
  const known = before === undefined ? [] : [before].flat();
  const forwarded = [...known, ...(clientAddress === undefined ? [] : [clientAddress])].join(', ');
  return { ...endToEnd(headers), ...(forwarded === '' ? {} : { 'x-forwarded-for': forwarded }) };
}

/** `Location` and `Link` name paths of the API; here they are those below the console. */
function placeHeaders(headers: IncomingHttpHeaders, basePath: string): IncomingHttpHeaders {
  const place = (path: string) =>
    path.startsWith(`${basePath}/`) ? basePath + CONSOLE_PLACE + path.slice(basePath.length) : path;
  const { location, link } = headers;
  return {
    ...headers,
    ...(location === undefined ? {} : { location: place(location) }),
    ...(typeof link !== 'string' ? {} : { link: link.replace(/^<([^>]*)>/, (_, path: string) => `<${place(path)}>`) }),
  };
}

/** Of two policies, a browser obeys both. */
function toCallerHeaders(headers: IncomingHttpHeaders, policy: number | string | string[] | undefined) {
  const { 'set-cookie': _, ...passed } = endToEnd(headers);
  const both = [policy, passed[POLICY]].flat().filter((one) => one !== undefined);
  return both.length === 0 ? passed : { ...passed, [POLICY]: both.join(', ') };
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !HOP_BY_HOP.includes(name) && !named.includes(name) && !PROXY_ONLY.test(name),
    ),
  );
}
