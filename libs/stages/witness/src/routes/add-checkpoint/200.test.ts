import { describe, expect, it } from '@jest/globals';
import { createFixtureLog, createFixtureWitness } from '../../../../../domain/witness/fixtures/fixture-log.ts';
import { createFixtureStage, SECONDS } from '../../fixtures/witness.ts';

const log = createFixtureLog('example.com/log', 1);
const other = createFixtureLog('other.example', 2);
const witness = createFixtureWitness('witness.example/w1', 5);
const lineFor = (note: string) => witness.line(note.slice(0, note.indexOf('\n\n') + 1), SECONDS);

describe('POST /add-checkpoint: 200', () => {
  it('cosigns a log from its first tree on, through every tree that extends the last', async () => {
    const { add } = createFixtureStage([log.vkey]);
    const sizes = [0, 0, 1, 2, 2, 3, 7, 8, 20, 20, 40];
    let latest = 0;
    for (const size of sizes) {
      expect(await add(log.request(latest, size))).toMatchObject({ status: 200, body: lineFor(log.note(size)) });
      latest = size;
    }
  });

  it('keeps logs apart', async () => {
    const { add } = createFixtureStage([log.vkey, other.vkey]);
    expect((await add(log.request(0, 9))).status).toBe(200);
    expect((await add(other.request(0, 4))).status).toBe(200);
    expect((await add(log.request(9, 12))).status).toBe(200);
  });

  it('takes a note with signatures of others, and a log by either of its keys', async () => {
    const rotated = createFixtureLog('example.com/log', 3);
    const { add } = createFixtureStage([log.vkey, rotated.vkey]);
    const more = other.note(3).slice(other.note(3).indexOf('\u2014'));
    expect((await add(log.request(0, 3) + more)).status).toBe(200);
    expect((await add(rotated.request(3, 5))).status).toBe(200);
  });
});
