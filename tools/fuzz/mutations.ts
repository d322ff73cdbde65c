import fc from 'fast-check';

/** No input is longer: a body that is read in the thread which answers everybody. */
const INPUT_BYTES_MAX = 64 * 1024;
const REPEATS_MAX = 3_000;
const CHANGES_MAX = 6;

type Change = (input: Buffer) => Buffer;

/** A place in an input, as a share of it: inputs are of many lengths. */
const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const at = (input: Buffer, share: number): number => Math.floor(share * (input.length + 1));

function replace(input: Buffer, from: number, to: number, by: Uint8Array): Buffer {
  return Buffer.concat([input.subarray(0, from), by, input.subarray(to)]);
}

/** Inputs that come of these seeds by a few changes each, some of which put in `words`. */
export function changesOf(seeds: readonly Uint8Array[], words: readonly string[]): fc.Arbitrary<Uint8Array> {
  const known = fc.constantFrom(...words.map(bytesOf));
  const seed =
    seeds.length === 0 ? fc.constant(Buffer.alloc(0)) : fc.constantFrom(...seeds.map((one) => Buffer.from(one)));
  const piece = fc.oneof(
    known,
    known,
    fc.uint8Array({ maxLength: 8 }),
    fc.constantFrom('0', '9', '-', ' ', '\n').map(bytesOf),
  );
  const change: fc.Arbitrary<Change> = fc.oneof(
    fc.tuple(place, fc.nat(7)).map(([where, bit]): Change => (input) => {
      const n = at(input, where);
      if (n < input.length) input[n] = (input[n] ?? 0) ^ (1 << bit);
      return input;
    }),
    fc.tuple(place, fc.constantFrom(0, 1, 0x7f, 0x80, 0xff)).map(([where, byte]): Change => (input) => {
      const n = at(input, where);
      if (n < input.length) input[n] = byte;
      return input;
    }),
    fc.tuple(place, piece).map(
      ([where, by]): Change =>
        (input) =>
          replace(input, at(input, where), at(input, where), by),
    ),
    fc.tuple(place, piece).map(([where, by]): Change => (input) => {
      const from = at(input, where);
      return replace(input, from, Math.min(input.length, from + by.length), by);
    }),
    fc.tuple(place, place).map(([one, other]): Change => (input) => {
      const [from = 0, to = 0] = [at(input, one), at(input, other)].sort((a, b) => a - b);
      return replace(input, from, to, Buffer.alloc(0));
    }),
    place.map(
      (where): Change =>
        (input) =>
          input.subarray(0, at(input, where)),
    ),
    // What is quadratic or recursive shows in the tenth of a second that the hundredth copy takes.
    fc.tuple(place, place, fc.integer({ min: 2, max: REPEATS_MAX })).map(([one, share, times]): Change => (input) => {
      const from = at(input, one);
      const to = Math.min(input.length, from + 1 + Math.floor(share * 40));
      return replace(input, from, to, Buffer.concat(Array.from({ length: times }, () => input.subarray(from, to))));
    }),
    fc.tuple(place, known, fc.integer({ min: 2, max: REPEATS_MAX })).map(([where, by, times]): Change => (input) => {
      return replace(input, at(input, where), at(input, where), Buffer.concat(Array.from({ length: times }, () => by)));
    }),
    fc.tuple(place, seed, place, place).map(([where, from, one, other]): Change => (input) => {
      const [start = 0, end = 0] = [at(from, one), at(from, other)].sort((a, b) => a - b);
      return replace(input, at(input, where), at(input, where), from.subarray(start, end));
    }),
  );
  const changed = fc.tuple(seed, fc.array(change, { minLength: 1, maxLength: CHANGES_MAX })).map(([from, changes]) => {
    let input: Buffer = Buffer.from(from);
    for (const apply of changes) input = apply(input).subarray(0, INPUT_BYTES_MAX);
    return new Uint8Array(input);
  });
  return fc.oneof({ weight: 20, arbitrary: changed }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) });
}

/** As UTF-8, or byte by byte where a word has bytes of a binary format. */
function bytesOf(word: string): Buffer {
  const codes = Array.from(word, (character) => character.charCodeAt(0));
  const isBinary = codes.every((code) => code < 0x100) && codes.some((code) => code < 0x09 || code > 0x7e);
  return Buffer.from(word, isBinary ? 'latin1' : 'utf8');
}
