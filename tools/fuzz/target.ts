import { isDeepStrictEqual } from 'node:util';

/** One parser of bytes from outside, with what must hold of it whatever it is given. */
export type Target = {
  /** The folder of its inputs in `corpus/`. */
  readonly name: string;
  /** Files of the repository that are inputs too. */
  readonly seeds?: readonly string[];
  /** What its format is made of; put anywhere into inputs. */
  readonly words: readonly string[];
  /** Reads the input. Throws a `Fault`, or anything that is not one of its refusals, when something is wrong. */
  read(input: Uint8Array): unknown;
  /** The errors by which it refuses an input. */
  readonly refusals: readonly (new (...given: never[]) => Error)[];
};

/** Something that must not be. */
export class Fault extends Error {
  override readonly name = 'Fault';
}

/** Throws unless both are the same. */
export function assertSame(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) throw new Fault(what);
}

/** Runs each reader; what all of them refuse is refused, and what another error ends is a fault. */
export function readEach(readers: readonly (() => void)[], refusals: Target['refusals']): void {
  for (const read of readers)
    try {
      read();
    } catch (error) {
      if (!refusals.some((refusal) => error instanceof refusal)) throw error;
    }
}

/** The text of the input; a byte that is not UTF-8 becomes U+FFFD, as for a program that reads a file as text. */
export function textOf(input: Uint8Array): string {
  return new TextDecoder().decode(input);
}
