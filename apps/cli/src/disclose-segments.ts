import * as z from 'zod';
import { hashSegmentText } from '@answer-evidence/commitments';
import type { AnyBundle } from '@answer-evidence/contracts';
import { readOr } from '@answer-evidence/encoding';
import { UsageError } from './usage-error.ts';

/** What is needed of the answer to a retrieval; a later service may say more. */
export const retrievedTexts = z.looseObject({
  segments: z.array(
    z.looseObject({ segment_id: z.string(), salt: z.string().optional(), text: z.string().optional() }),
  ),
});

type Segment = NonNullable<AnyBundle['evidence']>['assets'][number]['segments'][number];
type Text = { readonly salt: string; readonly text: string };

/** A bundle with the texts of some of its segments, and how many those are. */
type Disclosure = { readonly bundle: AnyBundle; readonly count: number };

/**
 * Puts what a retrieval gave in the places of the same segments of a bundle. Throws `UsageError` for a text that is not
 * the one committed to, and when no text is of a segment that the bundle shows: it shows those that an access of its
 * record named.
 */
export function discloseSegments(bundle: AnyBundle, { segments }: z.infer<typeof retrievedTexts>): Disclosure {
  const texts = new Map<string, Text>();
  for (const { segment_id: id, salt, text } of segments)
    if (salt !== undefined && text !== undefined) texts.set(id, { salt, text });
  let count = 0;
  function disclose(segment: Segment): Segment {
    const disclosed = texts.get(segment.segment_id);
    if (disclosed === undefined) return segment;
    if (!isOf(segment, disclosed))
      throw new UsageError(`the text of segment ${segment.segment_id} does not match its commitment in the bundle`);
    count++;
    return { ...segment, disclosed };
  }
  const { evidence } = bundle;
  const assets = evidence?.assets.map((asset) => ({ ...asset, segments: asset.segments.map(disclose) })) ?? [];
  if (evidence === undefined || count === 0)
    throw new UsageError(
      'none of these texts belongs to a segment in the bundle: a bundle contains only segments that an access named',
    );
  return { bundle: { ...bundle, evidence: { ...evidence, assets } }, count };
}

function isOf({ hash }: Segment, { salt, text }: Text): boolean {
  return readOr(() => hashSegmentText(salt, text) === hash, false);
}
