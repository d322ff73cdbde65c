import * as z from 'zod';
import type { JsonObject } from './json.ts';
import { dateTime } from './primitives.ts';

/** The item of `semantic_refs` by which the importer of an answer claims when it was given; nothing proves it. */
export const importClaim = z.looseObject({ type: z.literal('import'), claimed_at: dateTime });

/** The time that the first such item claims, as it was sent; undefined where nobody claims one. */
export function findClaimedTime(semanticRefs: readonly JsonObject[]): string | undefined {
  for (const item of semanticRefs) {
    const claim = importClaim.safeParse(item);
    if (claim.success) return claim.data.claimed_at;
  }
  return undefined;
}
