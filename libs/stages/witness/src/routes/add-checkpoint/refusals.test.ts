import { describe, expect, it } from '@jest/globals';
import { createFixtureLog } from '../../../../../domain/witness/fixtures/fixture-log.ts';
import { createFixtureStage } from '../../fixtures/witness.ts';

const log = createFixtureLog('example.com/log', 1);
const fork = createFixtureLog('example.com/log', 1, 'fork');
const stranger = createFixtureLog('stranger.example', 2);

/** A witness that has cosigned size 5, and proves after a refusal that it forgot nothing and learned nothing. */
async function atFive() {
  const { add } = createFixtureStage([log.vkey]);
  await add(log.request(0, 5));
  return async (body: string | Uint8Array) => {
    const reply = await add(body);
    expect(await add(log.request(0, 9))).toMatchObject({ status: 409, body: '5\n' });
    expect((await add(log.request(5, 5))).status).toBe(200);
    return reply;
  };
}

describe('POST /add-checkpoint: 400', () => {
  it('refuses what is not of the form, and never says what was sent', async () => {
    const ask = await atFive();
    for (const body of ['', 'hunter2', 'old 5\n\nhunter2\n', log.request(5, 9).replace('old', 'hunter2')]) {
      const reply = await ask(body);
      expect(reply).toMatchObject({ status: 400, contentType: 'text/plain; charset=utf-8' });
      expect(String(reply.body)).not.toContain('hunter2');
    }
    expect((await ask(Uint8Array.of(0x6f, 0xff, 0xfe))).status).toBe(400);
  });

  it('refuses an old size above that of the checkpoint', async () => {
    const ask = await atFive();
    expect((await ask(log.request(3, 3, { oldSize: 5 }))).status).toBe(400);
  });
});

describe('POST /add-checkpoint: 403', () => {
  it('refuses a checkpoint that no key of the log has signed', async () => {
    const ask = await atFive();
    const impostor = createFixtureLog('example.com/log', 77);
    expect((await ask(impostor.request(5, 9))).status).toBe(403);
    expect((await ask(log.request(5, 9).replace('\n9\n', '\n8\n'))).status).toBe(403);
  });
});

describe('POST /add-checkpoint: 404', () => {
  it('refuses a log that it does not know, anyone who signed', async () => {
    const ask = await atFive();
    expect((await ask(stranger.request(0, 5))).status).toBe(404);
    expect((await ask(log.request(5, 9).replaceAll('example.com/log', 'example.com/gol'))).status).toBe(404);
  });
});

describe('POST /add-checkpoint: 409', () => {
  it('says which size it has cosigned last, for larger and smaller ones alike', async () => {
    const ask = await atFive();
    for (const [from, to] of [
      [0, 9],
      [4, 9],
      [6, 9],
      [3, 4],
      [0, 0],
    ] as const) {
      expect(await ask(log.request(from, to))).toMatchObject({
        status: 409,
        contentType: 'text/x.tlog.size',
        body: '5\n',
      });
    }
  });

  it('says 0 of a log that it has never cosigned', async () => {
    const { add } = createFixtureStage([log.vkey]);
    expect(await add(log.request(3, 9))).toMatchObject({ status: 409, body: '0\n' });
  });
});

describe('POST /add-checkpoint: 422', () => {
  it('refuses another history of a log, from any size and of any', async () => {
    const ask = await atFive();
    expect((await ask(fork.request(5, 5))).status).toBe(422);
    expect((await ask(fork.request(5, 9))).status).toBe(422);
    expect((await ask(fork.request(5, 9, { proof: log.proof(5, 9) }))).status).toBe(422);
  });

  it('refuses a proof that is wrong, missing, or of nothing', async () => {
    const ask = await atFive();
    expect((await ask(log.request(5, 9, { proof: [] }))).status).toBe(422);
    expect((await ask(log.request(5, 9, { proof: log.proof(4, 9) }))).status).toBe(422);
    expect((await ask(log.request(5, 5, { proof: [log.root(1)] }))).status).toBe(422);
    const { add } = createFixtureStage([log.vkey]);
    expect((await add(log.request(0, 9, { proof: [log.root(1)] }))).status).toBe(422);
  });
});
