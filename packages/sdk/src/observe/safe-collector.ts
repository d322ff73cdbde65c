import type { Answer } from '../answer.ts';
import type { Collector } from './reader.ts';
import type { Ending } from './refs.ts';

/** A collector whose faults reach the report alone: the stream of the application goes on. */
export type SafeCollector<Chunk> = {
  add(chunk: Chunk): void;
  /** Reports what came, once. Rejects only where nothing may be shown that is not recorded. */
  end(ending: Ending): Promise<void>;
};

/** Collects what a reader makes of a stream. `open` is asked at once. */
export function createSafeCollector<Chunk>(
  open: () => Collector<Chunk>,
  report: (find: () => readonly Answer[]) => Promise<void>,
): SafeCollector<Chunk> {
  let fault: { readonly error: unknown } | undefined;
  let collector: Collector<Chunk> | undefined;
  let ended: Promise<void> | undefined;
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
  return {
    add: (chunk) => attempt(() => collector?.add(chunk)),
    end(ending) {
      ended ??= report(() => {
        if (fault !== undefined) throw fault.error;
        return collector?.find(ending) ?? [];
      });
      return ended;
    },
  };
}
