import type { ProblemCode, ProblemError, Remedy } from '@answer-evidence/contracts';
import type { BodyPart } from '@answer-evidence/http-edge';
import type { otlpOptionsOf } from '../ground/otlp-options.ts';

/** What a thread is sent: a body, and how it is to be read. */
type ReadTask = {
  readonly kind: 'read';
  readonly bytes: Uint8Array;
  readonly part: BodyPart;
  readonly otlp: ReturnType<typeof otlpOptionsOf>;
};

/** The same of a text that is to be split into the segments of an asset. */
type SplitTask = { readonly kind: 'split'; readonly text: string; readonly contentType: string };

/** Everything that a thread does. */
export type BodyTask = ReadTask | SplitTask;

/** What is read of a body that its handler opens later. */
export type PackedBody = { readonly packed: Uint8Array };

/**
 * What came of it, and for how many milliseconds the thread was on a processor. An error loses its class between
 * threads, so it is sent as its parts.
 */
export type BodyTaskResult = {
  readonly value: unknown;
  readonly refusal: {
    readonly code: ProblemCode;
    readonly message: string;
    readonly errors: readonly ProblemError[];
    readonly remedy: Remedy;
  } | null;
  readonly ms: number;
};
