import type { AnchorItem, CheckpointItem } from '@answer-evidence/contracts';

/** How long a witness or an anchor took to cover each checkpoint, in seconds; null where it has not yet. */
export type LagSeries = {
  readonly kind: 'witness' | 'anchor';
  readonly name: string;
  readonly lagsSeconds: readonly (number | null)[];
};
/** Checkpoints, oldest first, and the series over them. */
export type Lag = {
  readonly checkpoints: readonly { readonly treeSize: number; readonly at: string }[];
  readonly series: readonly LagSeries[];
};

/** That a tree of so many entries was covered at a time, in milliseconds since 1970. */
type Cover = { readonly name: string; readonly treeSize: number; readonly atMs: number };

const SECOND_MS = 1000;

/**
 * The lag of everybody who vouched for one of these checkpoints. A tree that is covered covers every smaller one. Both
 * lists are newest first; `anchorsArePart` says that there are older anchors, and then checkpoints from before the
 * oldest anchor are left out: they could seem to have waited for it. Renewals cover tokens, and no checkpoint waits for
 * them.
 */
export function planLag(
  checkpoints: readonly Pick<CheckpointItem, 'tree_size' | 'published_at' | 'cosignatures'>[],
  anchors: readonly Pick<AnchorItem, 'anchor_id' | 'tree_size' | 'state' | 'created_at' | 'anchored_at' | 'renews'>[],
  anchorsArePart: boolean,
): Lag {
  const from = anchorsArePart ? Date.parse(anchors.at(-1)?.created_at ?? '') : -Infinity;
  const shown = checkpoints.filter(({ published_at: at }) => Date.parse(at) >= from).toReversed();
  const cosigned = checkpoints.flatMap(({ tree_size: treeSize, cosignatures }) =>
    cosignatures.map(({ witness, time }) => ({ name: witness, treeSize, atMs: time * SECOND_MS })),
  );
  const anchored = anchors
    .filter(({ renews }) => renews === undefined)
    .map((anchor) => ({
      name: anchor.anchor_id,
      treeSize: anchor.tree_size,
      atMs: anchor.state === 'confirmed' ? Date.parse(anchor.anchored_at ?? anchor.created_at) : NaN,
    }));
  const seriesOf = (kind: LagSeries['kind'], covers: readonly Cover[]): readonly LagSeries[] =>
    [...new Set(covers.map(({ name }) => name))].toSorted().map((name) => {
      const own = covers.filter((cover) => cover.name === name && !Number.isNaN(cover.atMs));
      return { kind, name, lagsSeconds: shown.map((checkpoint) => lagOf(checkpoint, own)) };
    });
  return {
    checkpoints: shown.map(({ tree_size: treeSize, published_at: at }) => ({ treeSize, at })),
    series: [...seriesOf('witness', cosigned), ...seriesOf('anchor', anchored)],
  };
}

function lagOf(
  { tree_size: size, published_at: at }: Pick<CheckpointItem, 'tree_size' | 'published_at'>,
  covers: readonly Cover[],
): number | null {
  const times = covers.filter(({ treeSize }) => treeSize >= size).map(({ atMs }) => atMs);
  // Witnesses state whole seconds, and clocks differ: nothing is covered before it is published.
  return times.length === 0 ? null : Math.max(0, (Math.min(...times) - Date.parse(at)) / SECOND_MS);
}
