import type { ProblemCode, ProblemError, Remedy } from '@answer-evidence/contracts';
import type { BodyPart } from '@answer-evidence/http-edge';
import type { otlpOptionsOf } from '../start/otlp-options.ts';

/** What a thread is sent: a body, and how it is to be read. */
export type BodyTask = {
  readonly bytes: Uint8Array;
  readonly part: BodyPart;
  readonly otlp: ReturnType<typeof otlpOptionsOf>;
};

/** What came of it, and how long that took. An error loses its class between threads, so it is sent as its parts. */
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
