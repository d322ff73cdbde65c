import type { NewStream, StreamChanges } from '@answer-evidence/contracts';
import {
  createStream,
  getStream,
  listStreams,
  patchStream,
  removeStream,
  testStream,
} from '@answer-evidence/contracts/operations';
import { createCalls } from './calls.ts';
import { differencesOf } from './compare/differences.ts';
import { type AssertSame, createAgree, sameId } from './compare/refuse.ts';
import type { Send } from './transport.ts';

/** Operations on where the entries of the log are sent. */
export type StreamsApi = ReturnType<typeof createStreamsApi>;

/** The operations on streams over a transport. */
export function createStreamsApi(send: Send, assertSame: AssertSame) {
  const { call, end } = createCalls(send);
  const agree = createAgree(assertSame);
  const ofStream = (id: string) => ({ params: { stream_id: id } });

  return {
    /** Oldest first. */
    list: async () => (await call(listStreams, {})).items,
    get: async (id: string) => agree(call(getStream, ofStream(id)), sameId(id)),
    create: async (body: NewStream) =>
      agree(call(createStream, { body }), (stream) => differencesOf({ '/name': [body.name, stream.name] })),
    change: async (id: string, body: StreamChanges) => agree(call(patchStream, { ...ofStream(id), body }), sameId(id)),
    remove: async (id: string) => end(removeStream, ofStream(id)),
    /** Sends one event that is about no entry; whether the destination confirmed it. */
    test: async (id: string) => call(testStream, ofStream(id)),
  };
}
