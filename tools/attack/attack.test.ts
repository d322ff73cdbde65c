import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nameOf } from './attack.ts';
import { ATTACKS } from './list-attacks.ts';
import { readRows } from './page.ts';
import { runAttack } from './run-attack.ts';
import { openScene, type Scene } from './scene.ts';

/** A part of each attack, in which times are not judged. */
const SHARE = 0.02;
const MINUTES_MS = 60_000;

it('the page has a row of every attack, in their order, and of nothing else', async () => {
  expect([...(await readRows()).keys()]).toEqual(ATTACKS.map(nameOf));
});

describe('each attack', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene(SHARE);
  }, 3 * MINUTES_MS);
  afterAll(() => scene.close());

  it.each(ATTACKS.map((attack) => [nameOf(attack), attack] as const))(
    '%s, in short: runs and holds',
    async (_, attack) => {
      const { row, holds } = await runAttack(scene, attack);
      expect([row, holds]).toEqual([row, true]);
    },
    MINUTES_MS,
  );
});
