import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { findProxy, readProxies } from './environment-proxies.ts';
import { addressProxy, requestOf, TunnelAgent, type TunnelOptions } from './tunnel-agent.ts';

/** Statuses whose responses have no body. */
const EMPTY = new Set([204, 205, 304]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * A `fetch` that goes through the proxies of the environment, or undefined when it names none. Of a URL without a proxy
 * it leaves the request to the platform. It follows no redirect. Throws a `TypeError` when a proxy is not a URL. Node's
 * own `fetch` can do so from 22.21 on, and only for a whole process.
 */
export function createProxiedFetch(
  environment: Readonly<Record<string, string | undefined>>,
): typeof fetch | undefined {
  const proxies = readProxies(environment);
  if (proxies.https === undefined && proxies.http === undefined) return undefined;
  const tunnel = proxies.https === undefined ? undefined : new TunnelAgent(proxies.https, { keepAlive: true });
  const direct = globalThis.fetch;
  const forward = new (proxies.http?.protocol === 'https:' ? HttpsAgent : HttpAgent)({ keepAlive: true });
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const proxy = findProxy(proxies, url);
    if (proxy === undefined) return direct(input, init);
    const request = new Request(input, init);
    const body = await readBody(request, init);
    const options = { method: request.method, headers: headersOf(request, body) };
    const tunnelled: RequestOptions & TunnelOptions = { ...options, ending: request.signal };
    const outgoing =
      url.protocol === 'https:'
        ? requestHttps(url, { ...tunnelled, ...(tunnel === undefined ? {} : { agent: tunnel }) })
        : requestOf(proxy)(forwarded(proxy, url, { ...options, agent: forward }));
    const response = await exchange(outgoing, body, request.signal);
    if (request.redirect === 'manual' || !REDIRECTS.has(response.status)) return response;
    await response.body?.cancel();
    throw new TypeError('the host redirects, which is not followed');
  };
}

type Body = Buffer | NodeStream | undefined;

/** Whole, unless it was given in pieces. */
async function readBody(request: Request, init: RequestInit | undefined): Promise<Body> {
  if (request.body === null) return undefined;
  if (init?.body instanceof ReadableStream) return request.body as NodeStream;
  return Buffer.from(await request.arrayBuffer());
}

function headersOf(request: Request, body: Body): Record<string, string> {
  const headers = { accept: '*/*', ...Object.fromEntries(request.headers) };
  return Buffer.isBuffer(body) ? { ...headers, 'content-length': String(body.length) } : headers;
}

/** A request without TLS goes to the proxy itself, with the whole URL in it. */
function forwarded(proxy: URL, url: URL, options: RequestOptions & { headers: object }): RequestOptions {
  const address = addressProxy(proxy);
  const headers = { ...options.headers, ...address.headers, host: url.host };
  return { ...options, ...address, headers, path: `${url.origin}${url.pathname}${url.search}` };
}

/** Sends the body and resolves with the response as soon as its head is there, like `fetch`. */
function exchange(outgoing: ClientRequest, body: Body, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    let incoming: IncomingMessage | undefined;
    const fail = (error: unknown) => {
      const fault = error instanceof Error ? error : new Error('aborted');
      incoming?.destroy(fault);
      outgoing.destroy(fault);
      // While the connection is being made, the request itself would say so only afterwards.
      reject(fault);
    };
    const abort = () => fail(signal.reason);
    const release = () => signal.removeEventListener('abort', abort);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    outgoing.on('error', fail);
    outgoing.on('close', release);
    outgoing.on('response', (response) => {
      incoming = response;
      resolve(toResponse(response));
    });
    if (body === undefined || Buffer.isBuffer(body)) outgoing.end(body);
    // A host may respond before it has the whole body: then its response counts, and no longer the body.
    else
      pipeline(Readable.fromWeb(body), outgoing).catch((error) => (incoming === undefined ? fail(error) : undefined));
  });
}

function toResponse(incoming: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = incoming;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  if (!EMPTY.has(status))
    return new Response(Readable.toWeb(incoming) as ReadableStream, { status, statusText, headers });
  incoming.resume();
  return new Response(null, { status, statusText, headers });
}
