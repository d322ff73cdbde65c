const SIZE_BYTES_START = 16 * 1024;

/** Bytes that come in pieces, copied into one memory that doubles up to `sizeMax`: many tiny pieces cost no objects. */
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
