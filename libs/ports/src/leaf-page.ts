/** A page of a list that is ordered by leaves, newest first: what is below this leaf, after skipping `offset`. */
export type LeafPage = { readonly beforeLeaf?: number; readonly offset: number; readonly limit: number };
