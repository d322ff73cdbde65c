const HOUR = 3_600;

/** What a life of a token can be chosen from, in seconds. */
export const LIVES = [HOUR, 24 * HOUR, 7 * 24 * HOUR, 30 * 24 * HOUR, 90 * 24 * HOUR] as const;
/** How long the old token may stay good beside the new one, in seconds. */
export const OVERLAPS = [0, 600, HOUR, 24 * HOUR] as const;
