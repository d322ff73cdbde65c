import {} from '@answer-evidence/encoding';

/** What an item says nothing of. */
export const NOTHING = { since: null, until: null, application_key: null, name: null, object_id: null } as const;

/** So many of something, in words. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
