/** A tree as the checkpoint at the end of a receipt names it. */
type SignedTree = { readonly origin: string; readonly size: number; readonly root: string };

/** Every tree that a test has seen signed. Throws for a second root of one size under one name. */
export class SignedTrees {
  readonly #roots = new Map<string, string>();

  note(receipt: string): SignedTree {
    const [origin = '', size = '', root = ''] = receipt.slice(receipt.indexOf('\n\n') + 2).split('\n');
    const before = this.#roots.get(`${origin} ${size}`);
    if (before !== undefined && before !== root) throw new Error(`${origin} has two roots for size ${size}`);
    this.#roots.set(`${origin} ${size}`, root);
    return { origin, size: Number(size), root };
  }
}
