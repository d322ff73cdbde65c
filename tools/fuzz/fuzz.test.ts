import { describe, expect, it } from '@jest/globals';
import { TARGETS } from './list-targets.ts';
import { readCorpus, readOnce, runTarget } from './run-target.ts';
import type { Target } from './target.ts';

/** All targets together take a minute; `npm run fuzz` gives an hour to each. */
const MINUTE_MS = Number(process.env['FUZZ_MINUTE_MS'] ?? 60_000);
const SEED = Number(process.env['PROPERTY_SEED'] ?? Date.now() % 2 ** 31);

class Refusal extends Error {}
/** Stands everything but a text of three letters, in a place that no seed has. */
const FRAGILE: Target = {
  name: 'notes',
  words: ['fault'],
  read(input) {
    const text = new TextDecoder().decode(input);
    if (text.includes('fault')) throw new TypeError('read of undefined');
    throw new Refusal();
  },
  refusals: [Refusal],
};

describe.each(TARGETS.map((target) => [target.name, target] as const))('what reads %s', (_, target) => {
  it('stands every input that is kept', async () => {
    const corpus = readCorpus(target);
    expect(corpus.size).toBeGreaterThan(0);
    for (const [path, input] of corpus)
      expect([path, await readOnce(target, input)]).toEqual([path, expect.any(Number)]);
  });

  it(`stands what comes of them, with --seed ${SEED}`, async () => {
    const { inputs, fault } = await runTarget(target, { seed: SEED, ms: MINUTE_MS / TARGETS.length });
    expect(fault).toBeUndefined();
    expect(inputs).toBeGreaterThan(10);
  }, 120_000);
});

it('a fault is found, and made smaller', async () => {
  const { fault } = await runTarget(FRAGILE, { seed: 1, ms: 20_000 });
  expect(Buffer.from(fault?.input ?? []).toString()).toContain('fault');
  expect(fault?.words).toContain('read of undefined');
}, 60_000);
