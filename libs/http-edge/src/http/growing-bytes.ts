const SIZE_BYTES_START = 16 * 1024;

/**
 * Bytes that come in pieces, in one memory. Each piece is copied and let go: what is sent in chunks of a byte would be
 * held as an object a byte. The memory doubles as it fills, up to `sizeMax`, which anyone who adds must not pass.
 */
export class GrowingBytes {
  readonly #sizeMax: number;
  #memory: Uint8Array<ArrayBuffer>;
  #size = 0;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
    this.#memory = new Uint8Array(Math.min(SIZE_BYTES_START, sizeMax));
  }

  get size(): number {
    return this.#size;
  }

  add(piece: Uint8Array): void {
    const size = this.#size + piece.byteLength;
    if (size > this.#memory.length) {
      const larger = new Uint8Array(Math.max(size, Math.min(this.#sizeMax, 2 * this.#memory.length)));
      larger.set(this.#memory.subarray(0, this.#size));
      this.#memory = larger;
    }
    this.#memory.set(piece, this.#size);
    this.#size = size;
  }

  /** Everything that was added; a view of the memory. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#memory.subarray(0, this.#size);
  }
}
