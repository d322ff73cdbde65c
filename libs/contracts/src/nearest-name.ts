import leven from 'leven';

/** Longest name that is compared: what is longer is no slip of the pen. */
const NAME_LENGTH_MAX = 64;
/** One letter in so many may be another. */
const LETTERS_PER_SLIP = 3;
/** Shortest part of a name, with its ends marked, that says which name is meant. */
const PART_LENGTH_MIN = 6;

/**
 * The known name that was most likely meant: spelt nearly alike, in any case and with any separators, or the only one
 * of which this is a part.
 */
export function findNearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > NAME_LENGTH_MAX) return undefined;
  return findAlike(name, known) ?? findWhole(name, known);
}

function findAlike(name: string, known: readonly string[]): string | undefined {
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

function findWhole(part: string, known: readonly string[]): string | undefined {
  const words = `_${splitWords(part)}_`;
  const wholes = words.length < PART_LENGTH_MIN ? [] : known.filter((name) => `_${splitWords(name)}_`.includes(words));
  return wholes.length === 1 ? wholes[0] : undefined;
}

/** The words of a name in snake case. */
function splitWords(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/[-_]+/g, '_')
    .toLowerCase();
}

function squash(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase();
}
