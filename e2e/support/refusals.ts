import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Reply, TestService } from '../../tools/scenery/test-service.ts';
import { openTally, type Tally } from './tally.ts';

/** A text that a test sends and no refusal may repeat. */
export const SECRET = 'a text that nobody may repeat';

/** A request that is refused; the pointer, when there is one, names the place of the fault. */
export type Refusal = readonly [
  name: string,
  send: () => Promise<Reply>,
  status: number,
  code: string,
  pointer?: string,
];

/** Expects of every test of the surrounding block that it leaves no row and no leaf behind. */
export function expectNothingKept(service: () => TestService): void {
  let tally: Awaited<ReturnType<typeof openTally>>;
  let before: Tally;
  beforeAll(async () => {
    tally = await openTally(service());
  });
  beforeEach(async () => {
    before = await tally.count();
  });
  afterEach(async () => {
    expect(await tally.count()).toEqual(before);
  });
  afterAll(() => tally.close());
}

/** One test a request: its status, code and place, and nothing of what was sent in the reply. */
export function expectRefusals(refusals: readonly Refusal[]): void {
  for (const [name, send, status, code, pointer] of refusals) {
    it(`${name} is refused with its status, code and place, and nothing is kept or repeated`, async () => {
      const reply = await send();
      expect({ status: reply.status, code: reply.body.code }).toEqual({ status, code });
      expect(reply.headers.get('content-type')).toBe('application/problem+json');
      const pointers = reply.body.errors.map((error: { pointer: string }) => error.pointer);
      if (pointer !== undefined) expect(pointers).toContain(pointer);
      expect(reply.text).not.toContain(SECRET);
    });
  }
}
