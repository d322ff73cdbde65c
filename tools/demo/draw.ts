/** Draws that are the same in every run. */
export type Draw = {
  /** A whole number from 0 to below `below`. */
  number(below: number): number;
  /** One of several; throws for none. */
  one<Of>(of: readonly Of[]): Of;
  /** Whether something happens that happens so often: 0.1 is one in ten. */
  happens(share: number): boolean;
};

/** A linear congruential generator (Numerical Recipes, 3rd edition, section 7.1); for made-up data alone. */
export function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    number: (below) => Math.floor(next() * below),
    one(of) {
      const drawn = of[Math.floor(next() * of.length)];
      if (drawn === undefined) throw new Error('there is nothing to draw from');
      return drawn;
    },
    happens: (share) => next() < share,
  };
}
