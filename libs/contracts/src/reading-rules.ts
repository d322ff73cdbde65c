/**
 * What it takes for a user token to be given the texts of records: nothing (`open`), an entry of the log that comes
 * first (`logged`), or such an entry with a reason (`reasoned`). Application tokens keep what their scope says.
 */
export const READING_RULES = ['open', 'logged', 'reasoned'] as const;
export type ReadingRule = (typeof READING_RULES)[number];
