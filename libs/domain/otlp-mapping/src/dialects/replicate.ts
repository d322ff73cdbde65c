import type { Dialect } from './dialect.ts';

/** A provider whose models give back a text as a list of its pieces. */
export const REPLICATE: Dialect = {
  name: 'replicate',
  source: 'replicate/replicate-python',
  pieces: { key: 'gen_ai.system', values: ['replicate'] },
};
