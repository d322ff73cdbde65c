/** Memory that somebody has taken of a budget: nothing at first, and then what they ask for. */
export type ByteLease = {
  /** Takes so many more bytes. False, and nothing taken, when they are not there. */
  grow(bytes: number): boolean;
  /** Gives everything back; again changes nothing. */
  release(): void;
};

/** How many bytes may be in hand at once. */
export type ByteBudget = {
  /** A lease of nothing yet. `owner`: whose share it counts in, such as a workspace. */
  open(owner: string): ByteLease;
  readonly takenBytes: number;
};

/** One owner may have this part of a budget. */
const SHARE = 1 / 4;

/** What an owner has, in how many leases that have anything. */
type Holding = { bytes: number; leases: number };

/**
 * A budget in the memory of this process. An owner has at most a quarter of it, so that the others always find room;
 * who has nothing else gets more in one lease, as long as all of it is not exceeded, and who is alone gets any amount:
 * nothing is refused for ever.
 */
export function createByteBudget(bytesMax: number): ByteBudget {
  const shareMax = bytesMax * SHARE;
  const all: Holding = { bytes: 0, leases: 0 };
  // An owner is here while they have something.
  const owners = new Map<string, Holding>();

  return {
    get takenBytes() {
      return all.bytes;
    },
    open(owner) {
      let own = 0;
      let isReleased = false;

      function hasRoom(holding: Holding, bytes: number, max: number): boolean {
        const others = holding.leases - (own > 0 ? 1 : 0);
        return others === 0 || holding.bytes + bytes <= max;
      }

      return {
        grow(bytes) {
          const holding = owners.get(owner) ?? { bytes: 0, leases: 0 };
          if (!hasRoom(holding, bytes, shareMax) || !hasRoom(all, bytes, bytesMax)) return false;
          if (own === 0 && bytes > 0) {
            holding.leases += 1;
            all.leases += 1;
            owners.set(owner, holding);
          }
          holding.bytes += bytes;
          all.bytes += bytes;
          own += bytes;
          return true;
        },
        release() {
          if (isReleased || own === 0) return;
          isReleased = true;
          all.bytes -= own;
          all.leases -= 1;
          const holding = owners.get(owner);
          if (holding === undefined) return;
          holding.bytes -= own;
          holding.leases -= 1;
          if (holding.leases === 0) owners.delete(owner);
        },
      };
    },
  };
}
