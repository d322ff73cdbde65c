import type { RecordSummary, SearchReading, SearchResult } from '@answer-evidence/contracts';

/** What can be chosen of a search: a record, or the list that one reading of the text leads to. */
export type SearchOption =
  | { readonly kind: 'record'; readonly record: RecordSummary }
  | { readonly kind: 'list'; readonly reading: SearchReading; readonly search: Record<string, string> };

/** The records first, as they are what was searched for; then the lists that have more than one. */
export function listOptions(result: SearchResult | undefined): readonly SearchOption[] {
  if (result === undefined) return [];
  return [
    ...result.items.map((record) => ({ kind: 'record' as const, record })),
    ...result.understood.flatMap((reading) =>
      reading.total < 2 ? [] : [{ kind: 'list' as const, reading, search: textsOf(reading) }],
    ),
  ];
}

function textsOf({ filters }: SearchReading): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter((entry) => entry[1] !== undefined));
}
