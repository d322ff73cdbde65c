/** Room for so many at once for each of several, such as workspaces. */
export class Rooms {
  readonly #size: number;
  readonly #rooms = new Map<string, Room>();

  constructor(size: number) {
    this.#size = size;
  }

  /** As `Room.take`, of the room of this one. */
  take(id: string, count: number, timeUp: () => Promise<unknown>): Promise<boolean> {
    let room = this.#rooms.get(id);
    if (room === undefined) this.#rooms.set(id, (room = new Room(this.#size)));
    return room.take(count, timeUp);
  }

  leave(id: string, count: number): void {
    const room = this.#rooms.get(id);
    if (room === undefined || count === 0) return;
    room.leave(count);
    if (room.isIdle) this.#rooms.delete(id);
  }
}

/** Room for so many at once, given in the order in which it is asked for. */
export class Room {
  readonly #size: number;
  #taken = 0;
  readonly #waiting: { readonly count: number; readonly settle: (isGiven: boolean) => void }[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** Nobody has any of it, and nobody waits. */
  get isIdle(): boolean {
    return this.#taken === 0 && this.#waiting.length === 0;
  }

  /**
   * Takes room for so many; true as soon as it is given, and then it has to be given back. False if `timeUp`, which is
   * called where there is none at once, resolves before. More than all of it is given to one who has it alone.
   */
  take(count: number, timeUp: () => Promise<unknown>): Promise<boolean> {
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
        this.#give();
      });
    });
  }

  /** Gives room for so many back. */
  leave(count: number): void {
    this.#taken -= count;
    this.#give();
  }

  #give(): void {
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
