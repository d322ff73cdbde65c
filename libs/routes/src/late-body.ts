/**
 * What a digest gives to a handler that opens it when it comes to it. Out of another thread it is held as bytes until
 * then: bytes that wait cost nothing, and objects that wait are copied by one collection of garbage after another.
 */
export class LateBody<T> {
  /** May be called again, and gives the same, as objects of their own where it was packed. */
  readonly open: () => T;
  /** It is large, and bytes so far. */
  readonly isPacked: boolean;

  constructor(open: () => T, isPacked: boolean) {
    this.open = open;
    this.isPacked = isPacked;
  }
}

/** What is there already. */
export function openNow<T>(value: T): LateBody<T> {
  return new LateBody(() => value, false);
}
