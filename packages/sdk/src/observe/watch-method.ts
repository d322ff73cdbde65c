import { AsyncResource } from 'node:async_hooks';
import type { Answer } from '../answer.ts';
import type { AnswerEvidence } from '../answer-evidence.ts';

/** What a wrapper reads of one kind of call. The values are the vendor's, and may be of a version that is not known. */
export type Reader<Body, Whole, Chunk> = {
  /** The answers in a whole response. */
  whole(body: Body, response: Whole): readonly Answer[];
  /** Collects a streamed response. */
  stream(body: Body): Collector<Chunk>;
};

/** Collects the chunks of a stream. `find` is asked once, whether the stream was read to its end or not. */
export type Collector<Chunk> = {
  add(chunk: Chunk): void;
  find(): readonly Answer[];
};

/**
 * A promise of the vendors' libraries: it parses the response when somebody asks for the parsed one. Their helpers make
 * another promise of it, which parses and transforms.
 */
type LazyPromise = {
  parseResponse: (...args: readonly unknown[]) => Promise<unknown>;
  _thenUnwrap?: (transform: unknown) => unknown;
};
type Call = (this: unknown, ...args: readonly unknown[]) => unknown;
type Report = (find: () => readonly Answer[]) => Promise<void>;

/**
 * Has the responses of a method recorded. The method returns the vendor's own promise and stream, errors included; a
 * caller who takes the raw response leaves nothing to record. An object without the method stays as it is.
 */
export function watchMethod<Body, Whole, Chunk>(
  resource: object | undefined,
  name: string,
  evidence: AnswerEvidence,
  reader: Reader<Body, Whole, Chunk>,
): void {
  const original: unknown = resource === undefined ? undefined : Reflect.get(resource, name);
  if (resource === undefined || typeof original !== 'function') return;
  const call = original as Call;
  const watched: Call = function (this: unknown, ...args) {
    // The request of the application that it belongs to is the one in which it began.
    const report: Report = AsyncResource.bind((find: () => readonly Answer[]) => evidence.observe(find));
    const returned = Reflect.apply(call, this, args);
    let read: Promise<void> | undefined;
    return watchResult(returned, async (result) => {
      read ??= readResult(result, args[0] as Body, reader, report);
      await read;
      return result;
    });
  };
  Reflect.set(resource, name, watched);
}

/** Has a function see what a promise comes to before anyone else does. */
function watchResult(returned: unknown, see: (result: unknown) => Promise<unknown>): unknown {
  if (typeof returned !== 'object' || returned === null) return returned;
  if (!isLazy(returned)) return returned instanceof Promise ? returned.then(see) : returned;
  const parse = returned.parseResponse.bind(returned);
  returned.parseResponse = async (...args) => see(await parse(...args));
  const unwrap = returned._thenUnwrap?.bind(returned);
  if (unwrap !== undefined) returned._thenUnwrap = (transform) => watchResult(unwrap(transform), see);
  return returned;
}

function isLazy(returned: object): returned is LazyPromise {
  return 'parseResponse' in returned && typeof returned.parseResponse === 'function';
}

async function readResult<Body, Whole, Chunk>(
  result: unknown,
  body: Body,
  reader: Reader<Body, Whole, Chunk>,
  report: Report,
): Promise<void> {
  if (typeof result !== 'object' || result === null) return;
  if (!(Symbol.asyncIterator in result)) return report(() => reader.whole(body, result as Whole));
  const name = 'iterator' in result && typeof result.iterator === 'function' ? 'iterator' : Symbol.asyncIterator;
  const iterate = Reflect.get(result, name) as () => AsyncIterator<Chunk>;
  Reflect.set(result, name, () => collect(iterate.bind(result), () => reader.stream(body), report));
}

/** The same chunks, collected on their way. */
async function* collect<Chunk>(
  iterate: () => AsyncIterator<Chunk>,
  open: () => Collector<Chunk>,
  report: Report,
): AsyncGenerator<Chunk, void, void> {
  let fault: { readonly error: unknown } | undefined;
  let collector: Collector<Chunk> | undefined;
  const attempt = (step: () => void) => {
    try {
      if (fault === undefined) step();
    } catch (error) {
      fault = { error };
    }
  };
  attempt(() => {
    collector = open();
  });
  try {
    for await (const chunk of { [Symbol.asyncIterator]: iterate }) {
      attempt(() => collector?.add(chunk));
      yield chunk;
    }
  } finally {
    // Also of a stream that broke or was left: what came of it may have been shown to a person.
    await report(() => {
      if (fault !== undefined) throw fault.error;
      return collector?.find() ?? [];
    });
  }
}
