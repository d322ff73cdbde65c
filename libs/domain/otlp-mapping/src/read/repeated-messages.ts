import { CONVERSATIONS } from '../dialects/tables.ts';
import type { Place } from './places.ts';

/**
 * Whether an item shows the same messages as given and as given back, as some agents do with those that they were set
 * up with: the last answer among them is of an earlier turn, and the question of this one is not there.
 */
export function showsOnlyOldMessages({ lookup }: Place): boolean {
  return CONVERSATIONS.some(({ given, said }) => {
    const messages = lookup.peek(given);
    return typeof messages === 'string' && messages === lookup.peek(said);
  });
}
