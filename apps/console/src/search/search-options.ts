import type { RecordSummary, SearchReading, SearchResult } from '@answer-evidence/contracts';

/** What can be chosen of a search. */
export type SearchOption =
  | { readonly kind: 'record'; readonly record: RecordSummary }
  /** The list that one reading of the text leads to. */
  | { readonly kind: 'list'; readonly reading: SearchReading; readonly search: Record<string, string> }
  /** To give a reason, and to look for these words in the texts. */
  | { readonly kind: 'reason'; readonly words: string }
  /** To read how the texts that were found begin. */
  | { readonly kind: 'texts'; readonly count: number };

/**
 * What leads to more first; then the records, as they are what was searched for, and the lists that have more than one.
 * Words are no filter of a list, so what they find is here alone.
 */
export function listOptions(
  result: SearchResult | undefined,
  areTextsShown: boolean,
  mayRead: boolean,
): readonly SearchOption[] {
  if (result === undefined) return [];
  const { items, understood, words, not_understood: rest } = result;
  const isByWords = words?.state === 'searched' && words.used.length > 0 && mayRead;
  return [
    ...(mayRead && words?.state === 'needs_reason' && rest !== null ? [{ kind: 'reason' as const, words: rest }] : []),
    ...(isByWords && !areTextsShown ? [{ kind: 'texts' as const, count: items.length }] : []),
    ...items.map((record) => ({ kind: 'record' as const, record })),
    ...understood.flatMap((reading) =>
      reading.total < 2 || reading.means.includes('words')
        ? []
        : [{ kind: 'list' as const, reading, search: textsOf(reading) }],
    ),
  ];
}

function textsOf({ filters }: SearchReading): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter((entry) => entry[1] !== undefined));
}
