import { describe, expect, it } from '@jest/globals';
import { parseNote } from '@answer-evidence/note';
import type { KeptCheckpoint } from '@answer-evidence/ports';
import { createFixtureLog } from '../../../domain/witness/fixtures/fixture-log.ts';
import { createFakeCheckpoints, createFixtureStage } from './fixtures/witness.ts';

const log = createFixtureLog('example.com/log', 1);
const fork = createFixtureLog('example.com/log', 1, 'fork');

describe('a witness that is asked many times at once', () => {
  it('cosigns one of two histories, and only what extends it', async () => {
    const kept = new Map<string, KeptCheckpoint>();
    const { add } = createFixtureStage([log.vkey], createFakeCheckpoints(kept));
    const replies = await Promise.all(
      [log, fork].flatMap((of) => [3, 4, 5, 6].map((size) => add(of.request(0, size)))),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(7);
    expect(kept.get(log.origin)?.revision).toBe(1);
  });

  it('judges a request anew when another was faster, and never answers with a tree that was overtaken', async () => {
    const kept = new Map<string, KeptCheckpoint>();
    let isFirst = true;
    const overtaken = createFakeCheckpoints(kept, async () => {
      if (!isFirst) return;
      isFirst = false;
      // Between the judgement about 0 to 3 and its keeping, another request brings the log to 9.
      await createFixtureStage([log.vkey], createFakeCheckpoints(kept)).add(log.request(0, 9));
    });
    const reply = await createFixtureStage([log.vkey], overtaken).add(log.request(0, 3));
    expect(reply).toMatchObject({ status: 409, body: '9\n' });
    expect(kept.get(log.origin)?.treeSize).toBe(9);
  });

  it('gives up, and cosigns nothing, when others are always faster', async () => {
    const never = { ...createFakeCheckpoints(), keep: () => Promise.resolve(false) };
    expect((await createFixtureStage([log.vkey], never).add(log.request(0, 3))).status).toBe(503);
  });
});

describe('a witness that cannot keep a checkpoint', () => {
  it('lets no cosignature out', async () => {
    const full = {
      ...createFakeCheckpoints(),
      keep: () => Promise.reject(new Error('no space left on device')),
    };
    await expect(createFixtureStage([log.vkey], full).add(log.request(0, 3))).rejects.toThrow('no space left');
  });
});

describe('a witness that is killed between keeping and answering', () => {
  it('knows the tree when it is back, tells its size, and cosigns it when asked again', async () => {
    const kept = new Map<string, KeptCheckpoint>();
    const store = createFakeCheckpoints(kept);
    const killed = {
      ...store,
      async keep(...args: Parameters<typeof store.keep>) {
        await store.keep(...args);
        throw new Error('killed');
      },
    };
    await expect(createFixtureStage([log.vkey], killed).add(log.request(0, 3))).rejects.toThrow('killed');
    const { add } = createFixtureStage([log.vkey], store);
    expect(await add(log.request(0, 3))).toMatchObject({ status: 409, body: '3\n' });
    expect((await add(fork.request(3, 3))).status).toBe(422);
    expect((await add(log.request(3, 3))).status).toBe(200);
  });
});

describe('a log that signs two trees of one size', () => {
  it('leaves proof: the other note with its signature is kept, once, and its witness is told', async () => {
    const store = createFakeCheckpoints();
    const { add, forked } = createFixtureStage([log.vkey], store);
    await add(log.request(0, 5));
    for (let times = 0; times < 2; times++) expect((await add(fork.request(5, 5))).status).toBe(422);
    expect(await store.findForks(log.origin)).toEqual([fork.note(5)]);
    expect(forked).toEqual([log.origin, log.origin]);
    expect((await add(log.request(5, 5))).status).toBe(200);
  });

  it('is not accused by what it has not signed, by a wrong proof, or by an old tree', async () => {
    const store = createFakeCheckpoints();
    const { add, forked } = createFixtureStage([log.vkey], store);
    await add(log.request(0, 5));
    const impostor = createFixtureLog('example.com/log', 77);
    for (const body of [
      impostor.request(5, 5),
      log.request(5, 9, { proof: [] }),
      log.request(0, 4),
      fork.request(0, 5),
    ]) {
      expect((await add(body)).status).not.toBe(200);
    }
    expect(await store.findForks(log.origin)).toEqual([]);
    expect(forked).toEqual([]);
  });
});

describe('what a witness keeps', () => {
  it('is the text, the signatures of the log and its own, and no others', async () => {
    const kept = new Map<string, KeptCheckpoint>();
    const { add } = createFixtureStage([log.vkey], createFakeCheckpoints(kept));
    const stranger = createFixtureLog('stranger.example', 2).note(3);
    await add(log.request(0, 3) + stranger.slice(stranger.indexOf('\u2014')));
    const note = parseNote(kept.get(log.origin)?.note ?? '');
    expect(note.signatures.map(({ name }) => name)).toEqual([log.origin, 'witness.example/w1', 'witness.example/w1']);
    expect(note.text).toBe(parseNote(log.note(3)).text);
  });
});
