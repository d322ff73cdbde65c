import { AsyncResource } from 'node:async_hooks';
import type { Answer } from '../answer.ts';
import type { AnswerEvidence } from '../answer-evidence.ts';
import { moveMark, withMark } from './mark.ts';
import type { Reader } from './reader.ts';
import type { Ending } from './refs.ts';
import { createSafeCollector, type SafeCollector } from './safe-collector.ts';
import { isAbort, tapResponse } from './tap-response.ts';

/**
 * A promise of the vendors' libraries: it parses the response when somebody asks for the parsed one. Their helpers make
 * another promise of it, which parses and transforms.
 */
type LazyPromise = {
  parseResponse: (...args: readonly unknown[]) => Promise<unknown>;
  asResponse?: () => Promise<Response>;
  withResponse?: () => Promise<unknown>;
  _thenUnwrap?: (transform: unknown) => unknown;
};
type Call = (this: unknown, ...args: readonly unknown[]) => unknown;
type Report = (find: () => readonly Answer[]) => Promise<void>;
/** Sees what a call came to before the caller has it: the parsed result, or the raw response, of which one is read. */
type See = { result(result: unknown): Promise<unknown>; raw(response: Response): Response };

/**
 * Has the responses of a method recorded. The method returns the vendor's own promise and stream, errors included. A
 * caller who takes the raw response has it recorded as they read it. An object without the method stays as it is.
 */
export function watchMethod<Body, Whole, Chunk>(
  resource: object | undefined,
  name: string,
  evidence: AnswerEvidence,
  reader: Reader<Body, Whole, Chunk>,
): void {
  const original: unknown = resource === undefined ? undefined : Reflect.get(resource, name);
  if (resource === undefined || typeof original !== 'function' || moveMark(original, evidence)) return;
  const mark = { evidence };
  const call = original as Call;
  const watched: Call = function (this: unknown, ...args) {
    const { evidence: recorder } = mark;
    // The request of the application that it belongs to is the one in which it began.
    const report: Report = AsyncResource.bind((find: () => readonly Answer[]) => recorder.observe(find));
    const returned = Reflect.apply(call, this, args);
    let read: Promise<void> | undefined;
    return watchResult(returned, {
      async result(result) {
        read ??= readResult(result, args[0] as Body, reader, report);
        await read;
        return result;
      },
      raw(response) {
        if (read !== undefined) return response;
        read = Promise.resolve();
        return tapResponse(response, args[0] as Body, reader, report);
      },
    });
  };
  Reflect.set(resource, name, withMark(watched, mark));
}

/** Has what a promise comes to seen before anyone else has it. */
function watchResult(returned: unknown, see: See): unknown {
  if (typeof returned !== 'object' || returned === null) return returned;
  if (!isLazy(returned)) return returned instanceof Promise ? returned.then((result) => see.result(result)) : returned;
  const parse = returned.parseResponse.bind(returned);
  returned.parseResponse = async (...args) => see.result(await parse(...args));
  const unwrap = returned._thenUnwrap?.bind(returned);
  if (unwrap !== undefined) returned._thenUnwrap = (transform) => watchResult(unwrap(transform), see);
  watchRaw(returned, see);
  return returned;
}

/** `withResponse` parses the response and gives the raw one beside it, which then has been read. */
function watchRaw(lazy: LazyPromise, see: See): void {
  const asResponse = lazy.asResponse?.bind(lazy);
  const withResponse = lazy.withResponse?.bind(lazy);
  if (asResponse === undefined) return;
  let isParsed = false;
  lazy.asResponse = async () => {
    const isBeside = isParsed;
    const response = await asResponse();
    return isBeside ? response : see.raw(response);
  };
  if (withResponse === undefined) return;
  lazy.withResponse = () => {
    isParsed = true;
    try {
      return withResponse();
    } finally {
      isParsed = false;
    }
  };
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
  const collector = createSafeCollector(() => reader.stream(body), report);
  Reflect.set(result, name, () => collect(iterate.bind(result), collector, () => isAborted(result)));
}

/** The same chunks, collected on their way. */
async function* collect<Chunk>(
  iterate: () => AsyncIterator<Chunk>,
  collector: SafeCollector<Chunk>,
  isGivenUp: () => boolean,
): AsyncGenerator<Chunk, void, void> {
  // Anyone who leaves a loop gets no further than `finally`.
  let ending: Ending = 'caller';
  try {
    for await (const chunk of { [Symbol.asyncIterator]: iterate }) {
      collector.add(chunk);
      yield chunk;
    }
    ending = isGivenUp() ? 'caller' : 'whole';
  } catch (error) {
    ending = isAbort(error) ? 'caller' : 'error';
    throw error;
  } finally {
    // Also of a stream that broke or was left: what came of it may have been shown to a person.
    await collector.end(ending);
  }
}

/** Whether a stream of a vendor was given up by its controller, which ends it without an error. */
function isAborted(stream: object): boolean {
  const controller: unknown = Reflect.get(stream, 'controller');
  return controller instanceof AbortController && controller.signal.aborted;
}
