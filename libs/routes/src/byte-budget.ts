/** Memory that somebody has taken of a budget. */
export type ByteLease = {
  /** Takes so many more bytes. False, and nothing taken, when they are not there. */
  grow(bytes: number): boolean;
  /** Gives everything back; again changes nothing. */
  release(): void;
};

/** How many bytes may be in hand at once. */
export type ByteBudget = {
  /** Undefined when so many are not free now; a lone caller gets any amount, so nothing is refused for ever. */
  take(bytes: number): ByteLease | undefined;
  readonly takenBytes: number;
};

/** A budget in the memory of this process. */
export function createByteBudget(bytesMax: number): ByteBudget {
  let taken = 0;
  let leases = 0;
  return {
    get takenBytes() {
      return taken;
    },
    take(bytes) {
      if (leases > 0 && taken + bytes > bytesMax) return undefined;
      leases += 1;
      taken += bytes;
      let own = bytes;
      let isReleased = false;
      return {
        grow(more) {
          if (leases > 1 && taken + more > bytesMax) return false;
          taken += more;
          own += more;
          return true;
        },
        release() {
          if (isReleased) return;
          isReleased = true;
          leases -= 1;
          taken -= own;
        },
      };
    },
  };
}
