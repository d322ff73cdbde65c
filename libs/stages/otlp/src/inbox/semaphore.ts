/** Limits how much is under way at once per key, such as a workspace. */
export class KeyedSemaphore {
  readonly #size: number;
  readonly #semaphores = new Map<string, Semaphore>();

  constructor(size: number) {
    this.#size = size;
  }

  /** As `Semaphore.acquire`, under the limit of this key. */
  acquire(key: string, count: number, timeUp: () => Promise<unknown>): Promise<boolean> {
    let semaphore = this.#semaphores.get(key);
    if (semaphore === undefined) this.#semaphores.set(key, (semaphore = new Semaphore(this.#size)));
    return semaphore.acquire(count, timeUp);
  }

  release(key: string, count: number): void {
    const semaphore = this.#semaphores.get(key);
    if (semaphore === undefined || count === 0) return;
    semaphore.release(count);
    if (semaphore.isIdle) this.#semaphores.delete(key);
  }
}

/** Limits how much is under way at once. Requests are granted in the order in which they come. */
export class Semaphore {
  readonly #size: number;
  #taken = 0;
  readonly #waiting: { readonly count: number; readonly settle: (isGranted: boolean) => void }[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** Nothing is under way, and nothing waits. */
  get isIdle(): boolean {
    return this.#taken === 0 && this.#waiting.length === 0;
  }

  /**
   * True as soon as `count` fits below the limit; it must then be released. False if `timeUp`, which is called only if
   * the request has to wait, resolves before. A request above the limit is granted when nothing else is under way.
   */
  acquire(count: number, timeUp: () => Promise<unknown>): Promise<boolean> {
    if (this.#waiting.length === 0 && this.#fits(count)) {
      this.#taken += count;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const waiting = { count, settle: resolve };
      this.#waiting.push(waiting);
      void timeUp().then(() => {
        const at = this.#waiting.indexOf(waiting);
        if (at === -1) return;
        this.#waiting.splice(at, 1);
        resolve(false);
        this.#grant();
      });
    });
  }

  /** Ends what was granted, and grants what waited for it. */
  release(count: number): void {
    this.#taken -= count;
    this.#grant();
  }

  #grant(): void {
    for (let [first] = this.#waiting; first !== undefined && this.#fits(first.count); [first] = this.#waiting) {
      this.#waiting.shift();
      this.#taken += first.count;
      first.settle(true);
    }
  }

  #fits(count: number): boolean {
    return this.#taken === 0 || this.#taken + count <= this.#size;
  }
}
