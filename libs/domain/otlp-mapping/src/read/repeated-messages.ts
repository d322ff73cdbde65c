import type { Place } from './places.ts';

/**
 * Whether an item shows the same messages as given and as given back, as an agent of Koog does with those that it was
 * set up with: the last answer among them is of an earlier turn, and the question of this one is not there.
 */
export function showsOnlyOldMessages({ lookup }: Place): boolean {
  const given = lookup.peek('gen_ai.input.messages');
  return typeof given === 'string' && given === lookup.peek('gen_ai.output.messages');
}
