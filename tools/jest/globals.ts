/**
 * What `@jest/globals` gives to a test file: the functions that `jest-light-runner` puts on the global object. The
 * package itself only has the types, and refuses to load outside of Jest's own environment.
 */
import type * as globals from '@jest/globals';
import { sameBytes } from './same-bytes.ts';

export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } =
  globalThis as unknown as typeof globals;

expect.addEqualityTesters([sameBytes]);
