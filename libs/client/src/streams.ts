import type { NewStream, StreamChanges } from '@answer-evidence/contracts';
import {
  createStream,
  getStream,
  listStreams,
  patchStream,
  removeStream,
  testStream,
} from '@answer-evidence/contracts/operations';
import { createCalls, toCall } from './calls.ts';
import { differencesOf } from './compare/differences.ts';
import type { AssertSame } from './compare/refuse.ts';
import type { Send } from './transport.ts';

/** Operations on where the entries of the log are sent. */
export type StreamsApi = ReturnType<typeof createStreamsApi>;

/** The operations on streams over a transport. */
export function createStreamsApi(send: Send, assertSame: AssertSame) {
  const { call } = createCalls(send);
  const ofStream = (id: string) => ({ params: { stream_id: id } });

  async function assertId<One extends { readonly id: string }>(id: string, one: One): Promise<One> {
    await assertSame(differencesOf({ '/id': [id.toLowerCase(), one.id] }));
    return one;
  }

  return {
    /** Oldest first. */
    list: async () => (await call(listStreams, {})).items,
    get: async (id: string) => assertId(id, await call(getStream, ofStream(id))),
    async create(body: NewStream) {
      const stream = await call(createStream, { body });
      await assertSame(differencesOf({ '/name': [body.name, stream.name] }));
      return stream;
    },
    change: async (id: string, body: StreamChanges) => assertId(id, await call(patchStream, { ...ofStream(id), body })),
    async remove(id: string): Promise<void> {
      await send(toCall(removeStream, ofStream(id), { repeat: 'safe' }));
    },
    /** Sends one event that is about no entry; whether the destination confirmed it. */
    test: async (id: string) => call(testStream, ofStream(id)),
  };
}
