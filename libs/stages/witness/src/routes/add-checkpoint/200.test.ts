import { describe, expect, it } from '@jest/globals';
import {
  COSIGNATURE_ED25519,
  COSIGNATURE_ML_DSA_44,
  parseNote,
  parseWitnessPolicy,
  verifyCosignatures,
} from '@answer-evidence/note';
import {
  createFixtureLog,
  createFixtureWitness,
  verifySignature,
} from '../../../../../domain/witness/fixtures/fixture-log.ts';
import { createFixtureStage, SECONDS } from '../../fixtures/witness.ts';

const log = createFixtureLog('example.com/log', 1);
const other = createFixtureLog('other.example', 2);
const witnesses = [COSIGNATURE_ED25519, COSIGNATURE_ML_DSA_44].map((type) =>
  createFixtureWitness('witness.example/w1', 5, type),
);
const policy = parseWitnessPolicy(
  witnesses.map(({ vkey }, n) => `witness w${n} ${vkey}\n`).join('') + 'group w all w0 w1\nquorum w\n',
);

/** The names of the keys by which a reply cosigns the note, at which times. */
async function cosignedBy(note: string, { status, body }: { readonly status: number; readonly body?: unknown }) {
  expect(status).toBe(200);
  const found = await verifyCosignatures(parseNote(note + String(body)), policy, verifySignature);
  return found.map(({ witness, timestamp }) => [witness, timestamp]);
}

describe('POST /add-checkpoint: 200', () => {
  it('cosigns a log by each of its keys, from its first tree on, through every tree that extends the last', async () => {
    const { add } = createFixtureStage([log.vkey]);
    const sizes = [0, 0, 1, 2, 2, 3, 7, 8, 20, 20, 40];
    let latest = 0;
    for (const size of sizes) {
      const reply = await add(log.request(latest, size));
      expect(await cosignedBy(log.note(size), reply)).toEqual([
        ['w0', SECONDS],
        ['w1', SECONDS],
      ]);
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
