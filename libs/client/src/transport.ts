import { problem, SERVICE_VERSION } from '@answer-evidence/contracts';
import { parseJson, trimSlashes } from '@answer-evidence/encoding';
import { ApiError, UnreachableError } from './errors.ts';
import {
  DEFAULT_RETRY_LIMITS,
  type Failure,
  parseRetryAfter,
  planRetry,
  type Repeat,
  type RetryLimits,
} from './retry.ts';
import { parseReply } from './schema.ts';

/** One request to the service. */
export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the root of the host, escaped. */
  readonly path: string;
  readonly body?: unknown;
  /**
   * A body that is not JSON; `open` is asked once for each attempt. An attempt may take as long as pieces go out. What
   * the pieces throw is thrown as it is, and nothing is sent again.
   */
  readonly upload?: Upload;
  readonly headers?: Readonly<Record<string, string>>;
  readonly repeat: Repeat;
  /** For one attempt; the client's own limit when it says nothing. */
  readonly timeoutMs?: number;
  /** A public request carries no token. */
  readonly isPublic?: boolean;
};

/** A body in pieces, with its media type. */
export type Upload = { readonly contentType: string; open(): AsyncIterable<Uint8Array> };

/** The body of an answer piece by piece, with the answer's headers. */
export type StreamReply = AsyncIterable<Uint8Array> & { readonly headers: Headers };

/** An answer with a status of 2xx, whole. */
export type Reply = { readonly status: number; readonly headers: Headers; readonly bytes: Uint8Array };

/** Sends a request, again where that is safe. Throws `ApiError` and `UnreachableError`. */
export type Send = (call: Call) => Promise<Reply>;

/**
 * Sends a request with the same retries, and returns the body of the response piece by piece. Each piece must arrive
 * within the limit of an attempt. A connection that breaks in the middle throws `UnreachableError`; nothing is
 * requested again.
 */
export type OpenStream = (call: Call) => Promise<StreamReply>;

/** Both ways to one host. */
export type Transport = { readonly send: Send; readonly openStream: OpenStream };

/** What a transport is made of. All but the registry and the token have defaults from the platform. */
export type TransportOptions = {
  /** Base URL of the workspace API host. */
  readonly registry: string;
  /** Without one, and without `authenticate`, only public requests can be made. */
  readonly token?: string;
  /** Headers that authenticate each request in place of a token, for a page behind a session proxy. */
  readonly authenticate?: () => Readonly<Record<string, string>>;
  readonly fetch?: typeof fetch;
  readonly retry?: Partial<RetryLimits>;
  /** Limit of one attempt, from the first byte sent to the last received; default 30 s. */
  readonly timeoutMs?: number;
  readonly wait?: (ms: number) => Promise<void>;
  /** Jitter, in [0, 1). */
  readonly random?: () => number;
};

const TIMEOUT_MS = 30_000;

/** The letters of a bearer token (RFC 6750, 2.1): nothing else may reach a header, whose error would quote it. */
const TOKEN_FORM = /^[A-Za-z0-9\-._~+/]+=*$/;

/** A transport to one host. Throws a `TypeError`, without the token, when the registry or the token is malformed. */
export function createTransport(options: TransportOptions): Transport {
  const base = parseBase(options.registry);
  const { token } = options;
  const authenticate =
    options.authenticate ?? (token === undefined ? undefined : () => ({ authorization: `Bearer ${token}` }));
  if (token !== undefined && !TOKEN_FORM.test(token)) throw new TypeError('the token is not a valid bearer token');
  const limits: RetryLimits = { ...DEFAULT_RETRY_LIMITS, ...options.retry };
  const fetchReply = options.fetch ?? fetch;
  const wait = options.wait ?? waitMs;
  const random = options.random ?? Math.random;

  async function attempt<T>(call: Call, patience: Patience, read: Reading<T>): Promise<T | Attempt> {
    const { signal } = patience;
    const authorization = call.isPublic === true ? {} : authenticate?.();
    const outgoing = bodyOf(call, patience);
    const init: RequestInit = {
      ...outgoing.init,
      method: call.method,
      headers: {
        'content-type': call.upload?.contentType ?? 'application/json',
        'service-version': SERVICE_VERSION,
        ...call.headers,
        ...authorization,
      },
      // A redirect would carry the request, and from some platforms the token, to a host that nobody named.
      redirect: 'manual',
      signal,
    };
    try {
      const response = await fetchReply(base + call.path, init);
      if (response.ok) return await read(response);
      const bytes = new Uint8Array(await response.arrayBuffer());
      const retryAfterMs = parseRetryAfter(response.headers);
      return {
        failure: { kind: 'status', status: response.status, retryAfterMs },
        toError: () => createApiError(response.status, bytes, retryAfterMs ?? null),
      };
    } catch (error) {
      const fault = outgoing.findFault();
      if (fault !== undefined) throw fault.error;
      const reason = nameReason(error);
      return {
        failure: { kind: reason === 'ECONNREFUSED' ? 'refused' : 'no-answer' },
        toError: (attempts) => new UnreachableError(new URL(base).origin, reason, attempts, error),
      };
    }
  }

  async function sendAgain<T extends object>(call: Call, tryOnce: () => Promise<T | Attempt>): Promise<T> {
    if (call.isPublic !== true && authenticate === undefined) throw new TypeError('this request needs a token');
    for (let attempts = 1; ; attempts++) {
      const outcome = await tryOnce();
      if (!isAttempt(outcome)) return outcome;
      const delay = planRetry(outcome.failure, call.repeat, attempts, random(), limits);
      if (delay === undefined) throw outcome.toError(attempts);
      await wait(delay);
    }
  }

  const limitOf = (call: Call) => call.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS;
  return {
    send: (call) =>
      sendAgain(call, async () => {
        const patience = createPatience(limitOf(call));
        try {
          return await attempt(call, patience, readWhole);
        } finally {
          patience.end();
        }
      }),
    openStream: (call) =>
      sendAgain(call, async () => {
        const patience = createPatience(limitOf(call));
        const outcome = await attempt(call, patience, (response) =>
          Promise.resolve(
            Object.assign(readPieces(response, patience, new URL(base).origin), { headers: response.headers }),
          ),
        );
        // The clock goes on when somebody reads.
        patience.rest();
        return outcome;
      }),
  };
}

/** What goes out with a call. A body in pieces can be sent in one direction only before the answer comes (`duplex`). */
function bodyOf({ body, upload }: Call, patience: Patience): Outgoing {
  let fault: Fault | undefined;
  const findFault = () => fault;
  if (upload === undefined) return { init: body === undefined ? {} : { body: JSON.stringify(body) }, findFault };
  const pieces = upload.open()[Symbol.asyncIterator]();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const piece = await pieces.next().catch((error: unknown) => {
        fault = { error };
        throw error;
      });
      patience.renew();
      if (piece.done === true) controller.close();
      else controller.enqueue(new Uint8Array(piece.value));
    },
    async cancel() {
      await pieces.return?.();
    },
  });
  const init: RequestInit & { duplex: 'half' } = { body: stream, duplex: 'half' };
  return { init, findFault };
}

/** What the pieces of a body have thrown: no fault of the host's, however the platform reports it. */
type Fault = { readonly error: unknown };
type Outgoing = { readonly init: RequestInit; findFault(): Fault | undefined };

type Reading<T> = (response: Response) => Promise<T>;

async function readWhole(response: Response): Promise<Reply> {
  return {
    status: response.status,
    headers: response.headers,
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}

/** Aborts after so long without progress. `rest` stops the clock until renewed; after `end` nothing restarts it. */
type Patience = { readonly signal: AbortSignal; renew(): void; rest(): void; end(): void };

function createPatience(limitMs: number): Patience {
  const controller = new AbortController();
  const start = () => setTimeout(() => controller.abort(new DOMException('timeout', 'TimeoutError')), limitMs);
  let timer = start();
  let isOver = false;
  return {
    signal: controller.signal,
    renew() {
      clearTimeout(timer);
      if (!isOver) timer = start();
    },
    rest: () => clearTimeout(timer),
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

async function* readPieces(response: Response, patience: Patience, origin: string): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  try {
    for (;;) {
      patience.renew();
      const piece = await reader?.read();
      if (piece?.value === undefined) return;
      patience.rest();
      yield piece.value;
    }
  } catch (error) {
    throw new UnreachableError(origin, nameReason(error), 1, error);
  } finally {
    patience.end();
    // Anyone who stops in the middle wants no more of it.
    await reader?.cancel().catch(() => undefined);
  }
}

type Attempt = { readonly failure: Failure; toError(attempts: number): Error };

function isAttempt(outcome: object): outcome is Attempt {
  return 'failure' in outcome;
}

function parseBase(registry: string): string {
  if (!URL.canParse(registry)) throw new TypeError('the registry is not a URL');
  const { protocol, host, pathname, username, password } = new URL(registry);
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('the registry must be an https or http URL');
  if (username !== '' || password !== '')
    throw new TypeError('the registry URL must not contain a user name or a password');
  return `${protocol}//${host}${trimSlashes(pathname)}`;
}

function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The platform's error code (Node) or the error's name (browsers): never its message, which may quote the request. */
function nameReason(error: unknown): string {
  for (let at: unknown = error; typeof at === 'object' && at !== null; at = 'cause' in at ? at.cause : undefined) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    if ('name' in at && at.name === 'TimeoutError') return 'timeout';
  }
  return 'connection failed';
}

/** The error of a reply with another status than 2xx. Its words are the service's, where they come from it. */
export function createApiError(status: number, bytes: Uint8Array, retryAfterMs: number | null = null): ApiError {
  const body = readJson(bytes);
  const parsed = parseReply(problem, body);
  if ('value' in parsed) return new ApiError(status, parsed.value.detail, parsed.value, retryAfterMs);
  // Whatever else a newer service may have changed, its sentence is still the best there is.
  const isSentence = typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string';
  const detail = isSentence ? String(body.detail) : 'the response does not come from this service';
  return new ApiError(status, detail, null, retryAfterMs);
}

/** The JSON value of a reply, or undefined. Not the native reader, which can confuse one member's name with another. */
export function readJson(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch {
    return undefined;
  }
}
