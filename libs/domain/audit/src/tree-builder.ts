import { frontierRoot, nodeHash, TILE_HEIGHT, TILE_WIDTH } from '@answer-evidence/merkle';

/** Builds a log's tree leaf by leaf, at about one hash a leaf; keeps the frontier and the root of each full tile. */
export class TreeBuilder {
  size = 0;
  /** Roots of the perfect subtrees, largest first. */
  readonly frontier: Uint8Array[] = [];
  /** `tileRoots[level][n]`: the root of the full tile at `firstTile(level) + n`. */
  readonly tileRoots: Uint8Array[][] = [];
  readonly #start: number;

  /** Goes on from a tree of this size, whose roots of perfect subtrees are given. */
  constructor(start = 0, frontier: readonly Uint8Array[] = []) {
    this.#start = start;
    this.size = start;
    this.frontier.push(...frontier);
  }

  /** The first tile of a level that was not yet full where this builder began. */
  firstTile(level: number): number {
    return Math.floor(this.#start / TILE_WIDTH ** (level + 1));
  }

  append(leaf: Uint8Array): void {
    let node = leaf;
    let height = 0;
    for (let rest = this.size; rest % 2 === 1; rest = Math.floor(rest / 2)) {
      const left = this.frontier.pop();
      if (left === undefined) throw new Error('a frontier has a node for each bit of the size');
      node = nodeHash(left, node);
      height += 1;
      // A subtree of 256 to the n leaves is a full tile of level n-1.
      if (height % TILE_HEIGHT === 0) this.#keepTile(height / TILE_HEIGHT - 1, node);
    }
    this.frontier.push(node);
    this.size += 1;
  }

  root(): Uint8Array {
    return frontierRoot(this.frontier);
  }

  #keepTile(level: number, root: Uint8Array): void {
    const tiles = (this.tileRoots[level] ??= []);
    tiles.push(root);
  }
}
