import type { FoundPage, LeafPage } from '@answer-evidence/ports';

/** A page of what matches in memory, which is newest first. */
export function findLeafPage<T extends { readonly leaf: { readonly leaf_index: number } }>(
  matching: readonly T[],
  { beforeLeaf = Infinity, offset, limit }: LeafPage,
): FoundPage<T> {
  const below = matching.filter(({ leaf }) => leaf.leaf_index < beforeLeaf);
  return { items: below.slice(offset, offset + limit), total: matching.length, totalIsExact: true };
}
