import type { Answer } from '../answer.ts';
import type { Ending } from './refs.ts';

/** What a wrapper reads of one kind of call. The values are the vendor's, and may be of a version that is not known. */
export type Reader<Body, Whole, Chunk> = {
  /** The answers in a whole response. */
  whole(body: Body, response: Whole): readonly Answer[];
  /** Collects a streamed response. */
  stream(body: Body): Collector<Chunk>;
};

/** Collects the chunks of a stream. `find` is asked once, and is told how the stream ended. */
export type Collector<Chunk> = {
  add(chunk: Chunk): void;
  find(ending: Ending): readonly Answer[];
};
