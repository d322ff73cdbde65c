/** A UUID has 16 bytes: four words. */
const WORDS = 4;
const SLOTS_MIN = 1_024;

/**
 * Numbers by UUID, 48 to 96 bytes for each: a log has millions of ids, and a `Map` of texts ends at 2^24. A number is
 * at least 0. A party that chooses the ids must not know `seed`, or could make every look-up slow.
 */
export class IdTable {
  readonly #seed: number;
  #size = 0;
  #keys = new Uint32Array(SLOTS_MIN * WORDS);
  /** One more than the number; 0 where the slot is free. */
  #values = new Float64Array(SLOTS_MIN);

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The number of an id; undefined where it has none. */
  get(id: string): number | undefined {
    const value = this.#values[this.#slotOf(wordsOf(id))] ?? 0;
    return value === 0 ? undefined : value - 1;
  }

  /** Gives an id a number, instead of the one that it had. */
  set(id: string, value: number): void {
    if (this.#size * 2 >= this.#values.length) this.#grow();
    this.#put(wordsOf(id), value + 1);
  }

  #put(words: Words, value: number): void {
    const slot = this.#slotOf(words);
    if (this.#values[slot] === 0) this.#size += 1;
    this.#keys.set(words, slot * WORDS);
    this.#values[slot] = value;
  }

  /** The slot of a key, or the free one where it belongs. */
  #slotOf(words: Words): number {
    const mask = this.#values.length - 1;
    for (let slot = hashOf(words, this.#seed) & mask; ; slot = (slot + 1) & mask) {
      if (this.#values[slot] === 0) return slot;
      if (words.every((word, n) => this.#keys[slot * WORDS + n] === word)) return slot;
    }
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#size = 0;
    this.#keys = new Uint32Array(keys.length * 2);
    this.#values = new Float64Array(values.length * 2);
    values.forEach((value, slot) => {
      const [a = 0, b = 0, c = 0, d = 0] = keys.subarray(slot * WORDS, slot * WORDS + WORDS);
      if (value !== 0) this.#put([a, b, c, d], value);
    });
  }
}

type Words = readonly [number, number, number, number];

function wordsOf(id: string): Words {
  const hex = id.replaceAll('-', '');
  const word = (n: number) => Number.parseInt(hex.slice(8 * n, 8 * n + 8), 16);
  return [word(0), word(1), word(2), word(3)];
}

/** Ids are not all random, so every bit of a word counts. */
function hashOf(words: Words, seed: number): number {
  let hash = seed;
  for (const word of words) {
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}
