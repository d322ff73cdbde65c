import { type KeyWrapper, KeyWrapperError, LogKeyError, type LogKeyService } from '@answer-evidence/ports';
import type { Request, Results, TokenPlace } from './messages.ts';
import { ProcessFailure, TokenProcess } from './token-process.ts';

export type { TokenPlace } from './messages.ts';

/** To start a process, load the library and log in; network HSMs take their time. */
const OPENING_MS = 20_000;
/** A token that was unavailable is not asked anew before this. */
const PAUSE_MS = 1_000;

/** A token of PKCS#11. Anyone who opens it closes it. */
export type Token = {
  readonly keys: LogKeyService;
  /** An AES key of the token, by its label; wrapping makes it if it is not there. */
  wrapperOf(label: string): KeyWrapper;
  /** Resolves when the token is there and the login has succeeded. Throws `LogKeyError`. */
  open(): Promise<void>;
  close(): Promise<void>;
};

/**
 * A token whose library runs in a process of its own, begun when it is needed. What takes longer than `deadlineMs` is
 * given up and the process ended; a lost session is opened again, and the request repeated once. A wrong PIN is not
 * tried twice, since tokens lock themselves after a few.
 */
export function openToken(
  place: TokenPlace,
  { deadlineMs, pauseMs = PAUSE_MS }: { readonly deadlineMs: number; readonly pauseMs?: number },
): Token {
  const name = `the token "${place.token}" (PKCS#11)`;
  /** The process that is opened or open. */
  let current: Promise<TokenProcess> | undefined;
  let newest: TokenProcess | undefined;
  let refusal: LogKeyError | undefined;
  let failed: { readonly error: LogKeyError; readonly atMs: number } | undefined;
  let isClosed = false;

  function explain(error: unknown): LogKeyError {
    if (!(error instanceof ProcessFailure)) throw error;
    const kind = error.kind === 'lost' || error.kind === 'late' ? 'away' : 'refused';
    return new LogKeyError(kind, `${name}: ${error.message}`, { cause: error });
  }

  async function begin(): Promise<TokenProcess> {
    if (refusal !== undefined) throw refusal;
    if (failed !== undefined && performance.now() - failed.atMs < pauseMs) throw failed.error;
    const begun = new TokenProcess();
    newest = begun;
    try {
      await begun.ask({ do: 'open', place }, Math.max(OPENING_MS, deadlineMs));
      failed = undefined;
      return begun;
    } catch (error) {
      begun.kill();
      const explained = explain(error);
      if (error instanceof ProcessFailure && error.kind === 'pin') refusal = explained;
      failed = { error: explained, atMs: performance.now() };
      throw explained;
    }
  }

  async function opened(): Promise<TokenProcess> {
    while (current !== undefined) {
      const known = current;
      const process = await known;
      if (!process.isOver) return process;
      if (current === known) current = undefined;
    }
    if (isClosed) throw new LogKeyError('away', `${name} is closed`);
    const beginning = begin();
    current = beginning;
    beginning.catch(() => {
      if (current === beginning) current = undefined;
    });
    return beginning;
  }

  async function ask<R extends Request>(request: R): Promise<Results[R['do']]> {
    for (let attempt = 1; ; attempt++) {
      const process = await opened();
      try {
        return await process.ask(request, deadlineMs);
      } catch (error) {
        const isLost = error instanceof ProcessFailure && error.kind === 'lost';
        if (isLost) process.kill();
        if (!isLost || attempt > 1 || isClosed) throw explain(error);
      }
    }
  }

  async function close(): Promise<void> {
    isClosed = true;
    await newest?.close();
  }

  return {
    keys: {
      name,
      async createKey(label) {
        const { id, publicKey } = await ask({ do: 'create-key', label });
        return { reference: id, publicKey };
      },
      publicKeyOf: (id) => ask({ do: 'public-key', id }),
      sign: (id, message) => ask({ do: 'sign', id, message }),
      close,
    },
    wrapperOf: (label) => ({
      name: label,
      wrap: (purpose, secret) => asWrapper(() => ask({ do: 'wrap', label, purpose, secret })),
      unwrap: (purpose, wrapped) => asWrapper(() => ask({ do: 'unwrap', label, purpose, wrapped })),
    }),
    async open() {
      await opened();
    },
    close,
  };
}

async function asWrapper<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof LogKeyError)) throw error;
    throw new KeyWrapperError(error.kind, error.message, { cause: error });
  }
}
