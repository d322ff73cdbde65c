import type { Answer } from '../answer.ts';
import type { Collector, Reader } from './reader.ts';
import type { Ending } from './refs.ts';
import { createSafeCollector } from './safe-collector.ts';

const ABORTS: readonly string[] = ['AbortError', 'APIUserAbortError'];

/** Whether an error says that the caller gave something up. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && [error.name, error.constructor.name].some((name) => ABORTS.includes(name));
}

/**
 * A response with the same bytes, of which is recorded what the caller reads: the events of a stream, or the JSON of a
 * whole one. Nothing is read ahead, and a caller who gives it up gives up the original.
 */
export function tapResponse<Body, Whole, Chunk>(
  response: Response,
  body: Body,
  reader: Reader<Body, Whole, Chunk>,
  report: (find: () => readonly Answer[]) => Promise<void>,
): Response {
  if (response.body === null || response.bodyUsed || !response.ok) return response;
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
  const open = (): Collector<string> => (isStream ? readEvents(reader.stream(body)) : readWhole(reader, body));
  const collector = createSafeCollector(open, report);
  const source = response.body.getReader();
  const decoder = new TextDecoder();
  const tapped = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const piece = await source.read().catch(async (error: unknown) => {
          await collector.end(isAbort(error) ? 'caller' : 'error');
          throw error;
        });
        if (piece.done) {
          await collector.end('whole');
          return controller.close();
        }
        collector.add(decoder.decode(piece.value, { stream: true }));
        controller.enqueue(piece.value);
      },
      async cancel(reason) {
        await source.cancel(reason);
        await collector.end('caller');
      },
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers, url, redirected } = response;
  return Object.defineProperties(new Response(tapped, { status, statusText, headers }), {
    url: { value: url },
    redirected: { value: redirected },
  });
}

/** Collects the JSON of a whole response. A part of it is no answer that anyone could have read. */
function readWhole<Body, Whole, Chunk>(reader: Reader<Body, Whole, Chunk>, body: Body): Collector<string> {
  let text = '';
  return {
    add(piece) {
      text += piece;
    },
    find: (ending: Ending) => (ending === 'whole' ? reader.whole(body, JSON.parse(text) as Whole) : []),
  };
}

/** Collects the data of server-sent events, each of which is JSON; `[DONE]` is the end of a stream. */
function readEvents<Chunk>(collector: Collector<Chunk>): Collector<string> {
  let rest = '';
  let data: string[] = [];
  const addLine = (line: string) => {
    if (line.startsWith('data:')) data.push(line.slice('data:'.length).trimStart());
    if (line !== '' || data.length === 0) return;
    const text = data.join('\n');
    data = [];
    if (text !== '[DONE]') collector.add(JSON.parse(text) as Chunk);
  };
  return {
    add(piece) {
      const lines = (rest + piece).split(/\r?\n/);
      rest = lines.pop() ?? '';
      lines.forEach(addLine);
    },
    find: (ending) => collector.find(ending),
  };
}
