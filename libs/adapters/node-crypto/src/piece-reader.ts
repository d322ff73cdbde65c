/** Takes pieces of a size of one's own from pieces that come as they like. */
export class PieceReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();
  #isDone = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The next `sizeBytes` bytes, a view when one piece holds them all; undefined when there are fewer. */
  async take(sizeBytes: number): Promise<Uint8Array | undefined> {
    if (await this.isAtEnd()) return undefined;
    if (this.#rest.length >= sizeBytes) return this.#cut(sizeBytes);
    const joined = new Uint8Array(sizeBytes);
    for (let filled = 0; filled < sizeBytes;) {
      if (await this.isAtEnd()) return undefined;
      const part = this.#cut(sizeBytes - filled);
      joined.set(part, filled);
      filled += part.length;
    }
    return joined;
  }

  #cut(bytesMax: number): Uint8Array {
    const part = this.#rest.subarray(0, bytesMax);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  /** Whether nothing more comes; waits until that is known. */
  async isAtEnd(): Promise<boolean> {
    while (this.#rest.length === 0 && !this.#isDone) {
      const step = await this.#source.next();
      if (step.done === true) this.#isDone = true;
      else this.#rest = step.value;
    }
    return this.#rest.length === 0;
  }

  /** Gives the source up. */
  async close(): Promise<void> {
    if (!this.#isDone) await this.#source.return?.();
  }
}
