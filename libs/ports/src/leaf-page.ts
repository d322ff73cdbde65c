/** A page of a list that is ordered by leaves, newest first: what is below this leaf, after skipping `offset`. */
export type LeafPage = { readonly beforeLeaf?: number; readonly offset: number; readonly limit: number };

/** What was found for a page of a list. The total is exact, or as far as it was counted: to 10,000. */
export type FoundPage<T> = { readonly items: readonly T[]; readonly total: number; readonly totalIsExact: boolean };
