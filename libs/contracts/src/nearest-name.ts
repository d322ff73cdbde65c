import leven from 'leven';

/** Longest name that is compared: what is longer is no slip of the pen. */
const NAME_LENGTH_MAX = 64;
/** One letter in so many may be another. */
const LETTERS_PER_SLIP = 3;

/** The known name that was most likely meant: spelt nearly alike, in any case and with any separators. */
export function findNearest(name: string, known: Iterable<string>): string | undefined {
  if (name.length > NAME_LENGTH_MAX) return undefined;
  const wanted = squash(name);
  let nearest: string | undefined;
  let least = Math.floor(wanted.length / LETTERS_PER_SLIP) + 1;
  for (const candidate of known) {
    const squashed = squash(candidate);
    if (Math.abs(squashed.length - wanted.length) >= least) continue;
    const slips = leven(wanted, squashed);
    if (slips >= least) continue;
    least = slips;
    nearest = candidate;
  }
  return nearest;
}

function squash(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase();
}
