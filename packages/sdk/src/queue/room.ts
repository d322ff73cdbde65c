import { QueueError } from '../errors.ts';
import type { QueueLimits } from '../options.ts';

/** How much a queue holds, and who waits for room in it. */
export class Room {
  readonly #limits: QueueLimits;
  readonly #waiting: (() => void)[] = [];
  #count = 0;
  #characters = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  /** Takes room for a text. Waits or throws `QueueError` where there is none, as the limits say. */
  async take(characters: number): Promise<void> {
    while (this.#isFull(characters)) {
      if (this.#limits.overflow !== 'wait')
        throw new QueueError(
          'queue_full',
          `the queue is full with ${this.#count} answers that the service has not got`,
        );
      await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    }
    this.occupy(characters);
  }

  /** Takes room, whether there is any or not. */
  occupy(characters: number): void {
    this.#count += 1;
    this.#characters += characters;
  }

  release(characters: number): void {
    this.#count -= 1;
    this.#characters -= characters;
    // Each of them looks again, so that a short text does not wait behind a long one.
    for (const resume of this.#waiting.splice(0)) resume();
  }

  #isFull(characters: number): boolean {
    if (this.#count === 0) return false;
    const { max, maxCharacters } = this.#limits;
    return this.#count >= max || this.#characters + characters > maxCharacters;
  }
}
