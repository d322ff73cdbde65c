import { type ClientRequest, createServer, type IncomingMessage, request, type Server } from 'node:http';
import { duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Caller } from '@answer-evidence/access';
import { type Problem, type ProblemCode, type ProblemError, ServiceError } from '@answer-evidence/contracts';
import { formatBase64Url, parseBase64Url, utf8 } from '@answer-evidence/encoding';
import {
  type Authenticator,
  createHostPolicy,
  createHttpApp,
  createRequestLimits,
  parseRateLimits,
} from '@answer-evidence/http-edge';
import type { Route, RouteReply, UploadedFile } from '@answer-evidence/routes';

/** One request as a test states it. */
export type RouteCall = {
  readonly as?: Caller;
  /** Sent as JSON; bytes are sent as they are. */
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends a form with this file, and with `body` as its metadata. */
  readonly file?: UploadedFile;
  /** The client's address. */
  readonly from?: string;
};

/**
 * What came back. JSON is parsed, and a text is a string; all other content is bytes, and has a `stream` too. Of a
 * problem there are its code, its sentence and where the fault lies. `headers` are those that the route or the code of
 * the problem adds.
 */
export type CalledReply = RouteReply & {
  readonly code?: ProblemCode;
  readonly detail?: string;
  readonly errors?: readonly ProblemError[];
  /** What the service logged of a failure of its own. */
  readonly logged?: unknown;
};

/** Calls a route over the edge. */
export type CallRoute = (method: Route['method'], path: string, call?: RouteCall) => Promise<CalledReply>;

/** The token that says whose it is. */
const callers: Authenticator = {
  wasGood: () => false,
  authenticate: (header) =>
    Promise.resolve(
      header === undefined
        ? undefined
        : (JSON.parse(new TextDecoder().decode(parseBase64Url(header.slice('Bearer '.length)))) as Caller),
    ),
};

/**
 * Calls routes over the real HTTP edge, in this process and without a port. Every reply must be one that the route
 * documents, with documented headers and a body of the documented shape, and no handler may fail but with a
 * `ServiceError`: anything else fails the test.
 */
export function createRouteCaller(routes: readonly Route[]): CallRoute {
  const undocumented: string[] = [];
  let inHand = 0;
  const lines = new Map<string, Line>();
  const log = (line: object) => void lines.set((line as Line).request_id, line as Line);
  const { handler } = createHttpApp({
    routes,
    authenticator: callers,
    logger: {
      isLevelEnabled: () => true,
      info: log,
      error: log,
    },
    metrics: { requestStarted: () => void inHand++, requestEnded: () => void inHand--, damageFound: () => undefined },
    hosts: createHostPolicy('http://test.example', { findBySlug: () => Promise.resolve(undefined) }),
    limits: createRequestLimits({ limits: parseRateLimits('off'), trustedProxies: 0 }),
    openapi: { title: 'Test' },
    onUndocumented: (fault) => undocumented.push(fault),
  });
  // It listens nowhere, and so has nothing to close.
  const server = createServer(handler);
  return async (method, path, call = {}) => {
    const { response, close } = await send(server, method, path, call).catch(async (error: unknown) => {
      while (inHand > 0) await nextTurn();
      throw error;
    });
    const reply = await readReply(response);
    close();
    if (undocumented.length > 0) throw new Error(`an undocumented reply: ${undocumented.join('; ')}`);
    const { code, err } = await findLine(lines, String(response.headers['x-request-id']));
    // What was altered in the database is content_damaged, and no failure of a handler.
    if (code === 'internal' && err !== undefined && !(err instanceof ServiceError)) throw err as Error;
    // A protocol's own form of problems has no code.
    return { ...reply, ...(code === undefined ? {} : { code }), ...(err === undefined ? {} : { logged: err }) };
  };
}

/** What the edge logs of a request. */
type Line = { readonly request_id: string; readonly code?: ProblemCode; readonly err?: unknown };

/** The line is written when the last byte was handed over, which may be just after it came. */
async function findLine(lines: Map<string, Line>, requestId: string): Promise<Line> {
  for (;;) {
    const line = lines.get(requestId);
    if (line !== undefined) return line;
    await nextTurn();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** Sends a request over a connection of its own, which is to be closed when the reply was read. */
function send(
  server: Server,
  method: string,
  path: string,
  call: RouteCall,
): Promise<{ readonly response: IncomingMessage; readonly close: () => void }> {
  const { as, query, from = '192.0.2.1' } = call;
  const [client, accepted] = duplexPair();
  server.emit('connection', Object.assign(accepted, { remoteAddress: from }));
  const { headers, content } = contentOf(call);
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
  const token = as === undefined ? {} : { authorization: `Bearer ${formatBase64Url(utf8(JSON.stringify(as)))}` };
  return new Promise((resolve, reject) => {
    const req = request({
      createConnection: () => client,
      method,
      path: path + search,
      headers: { host: 'test.example', ...token, ...headers, ...call.headers },
    });
    const close = () => {
      client.destroy();
      accepted.destroy();
    };
    req.on('response', (response) => resolve({ response, close })).on('error', reject);
    if (content instanceof Uint8Array || content === undefined) req.end(content);
    else
      void pour(content, req).catch((error: unknown) => {
        accepted.destroy();
        req.destroy(error as Error);
      });
  });
}

/** Sends content piece by piece until the reply comes. */
async function pour(content: AsyncIterable<Uint8Array>, req: ClientRequest): Promise<void> {
  let isAnswered = false;
  req.once('response', () => (isAnswered = true));
  for await (const piece of content) {
    if (!req.write(piece))
      await new Promise((resolve) => req.once('drain', resolve).once('response', resolve).once('close', resolve));
    if (isAnswered || req.destroyed) return;
  }
  req.end();
}

type Content = {
  readonly headers: Readonly<Record<string, string | number>>;
  readonly content: Uint8Array | AsyncIterable<Uint8Array> | undefined;
};

function contentOf({ body, file }: RouteCall): Content {
  if (file !== undefined)
    return { headers: { 'content-type': 'multipart/form-data; boundary=part-of-form' }, content: formOf(body, file) };
  if (body === undefined) return { headers: {}, content: undefined };
  const content = body instanceof Uint8Array ? body : utf8(JSON.stringify(body));
  const headers = { 'content-length': content.byteLength };
  return {
    headers: body instanceof Uint8Array ? headers : { ...headers, 'content-type': 'application/json' },
    content,
  };
}

async function* formOf(metadata: unknown, { name, contentType, bytes }: UploadedFile): AsyncGenerator<Uint8Array> {
  if (metadata !== undefined)
    yield utf8(
      '--part-of-form\r\nContent-Disposition: form-data; name="metadata"\r\nContent-Type: application/json\r\n\r\n' +
        `${JSON.stringify(metadata)}\r\n`,
    );
  const fileName = name === undefined ? '' : `; filename="${name.replaceAll('"', '%22')}"`;
  const type = contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`;
  yield utf8(`--part-of-form\r\nContent-Disposition: form-data; name="file"${fileName}\r\n${type}\r\n`);
  yield* bytes;
  yield utf8('\r\n--part-of-form--\r\n');
}

/** Headers that the edge gives every reply, or that say how it is sent. */
const OF_THE_EDGE =
  /^(service-version|x-request-id|x-content-type-options|connection|date|content-(type|length)|vary)$/;

async function readReply(response: IncomingMessage): Promise<CalledReply> {
  const status = response.statusCode ?? 0;
  const headers: Record<string, string> = {};
  for (let n = 0; n < response.rawHeaders.length; n += 2) {
    const [name = '', value = ''] = response.rawHeaders.slice(n, n + 2);
    const isPlain = OF_THE_EDGE.test(name.toLowerCase()) || (name === 'Cache-Control' && value === 'no-store');
    if (!isPlain) headers[name] = value;
  }
  const bytes = new Uint8Array(await buffer(response));
  const contentType = response.headers['content-type'];
  const reply = { status, ...(Object.keys(headers).length === 0 ? {} : { headers }) };
  if (contentType === undefined) return reply;
  const mediaType = contentType.split(';', 1)[0] ?? '';
  const text = () => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (mediaType === 'application/problem+json') {
    const { code, detail, errors } = JSON.parse(text()) as Problem & { readonly code: ProblemCode };
    return { ...reply, code, detail, errors };
  }
  if (mediaType === 'application/json') return { ...reply, body: JSON.parse(text()) as unknown };
  const stream = { sizeBytes: bytes.byteLength, bytes: streamOf(bytes) };
  return { ...reply, contentType, body: /^text\/|\/jsonl$/.test(mediaType) ? text() : bytes, stream };
}

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
