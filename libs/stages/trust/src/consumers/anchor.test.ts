import { describe, expect, it } from '@jest/globals';
import { utf8 } from '@answer-evidence/encoding';
import { parseNote } from '@answer-evidence/note';
import type { AnchorOutcome, TrustStore } from '@answer-evidence/ports';
import { createFakeAnchor } from '@answer-evidence/testing';
import { createTestWitness, formatWitnessLines } from '../fixtures/create-witness.ts';
import { createRecord, openTrust, putPolicy, runConsumer } from '../fixtures/trust.ts';

const FILE = { id: 'disk', type: 'file' as const };
const LOCK = {
  id: 'lock',
  type: 'object-lock' as const,
  url: 'https://s3.example',
  bucket: 'evidence',
  region: 'eu-1',
  prefix: '',
  retention_days: 1,
  access_key_id: 'key',
  required: false,
};
const CONFIRMED: AnchorOutcome = { kind: 'confirmed', artefact: utf8('{}'), at: null, detail: 'kept' };

describe('anchoring', () => {
  it('anchors the very text of a published checkpoint, once, however often it runs', async () => {
    const file = createFakeAnchor();
    const stage = await openTrust({ anchors: { file, rfc3161: file, 'object-lock': file } });
    await putPolicy(stage, { anchors: [FILE] });
    await runConsumer(stage, 'trust.publish');
    for (let n = 0; n < 3; n++) await runConsumer(stage, 'trust.anchor');
    expect(file.asked).toHaveLength(1);
    const checkpoint = await stage.call('GET', `/tlog/${stage.workspace.slug}/checkpoint`, { as: stage.member });
    expect(parseNote(file.asked[0]?.note ?? '').text).toBe(parseNote(String(checkpoint.body)).text);
  });

  it('gives an anchor the secret of its id, and nobody else', async () => {
    const lock = createFakeAnchor();
    const file = createFakeAnchor();
    const stage = await openTrust({ anchors: { file, rfc3161: file, 'object-lock': lock } });
    await putPolicy(stage, { anchors: [FILE, { ...LOCK, secret_access_key: 'the secret' }] });
    await runConsumer(stage, 'trust.run');
    expect(lock.asked[0]?.config).toEqual({ ...LOCK, secret_access_key: 'the secret' });
    expect(file.asked[0]?.config).toEqual(FILE);
  });

  it('keeps each attempt, pauses after a failure, and tries again also when the log is quiet', async () => {
    let outcome: AnchorOutcome = { kind: 'failed', detail: 'nobody there' };
    const file = createFakeAnchor(() => outcome);
    const stage = await openTrust({ anchors: { file, rfc3161: file, 'object-lock': file } });
    await putPolicy(stage, { anchors: [FILE] });
    await runConsumer(stage, 'trust.publish');
    await runConsumer(stage, 'trust.anchor');
    await runConsumer(stage, 'trust.anchor');
    expect(file.asked).toHaveLength(1);
    outcome = CONFIRMED;
    await runConsumer(stage, 'trust.run');
    const [stored] = await stage.trust.newestAnchors(stage.workspace.id);
    expect(stored?.attempts.map(({ attempt, outcome: came }) => [attempt, came])).toEqual([
      [1, 'failed'],
      [2, 'confirmed'],
    ]);
  });

  it('notes when an anchor is tried again, and when the next round is due', async () => {
    let outcome: AnchorOutcome = { kind: 'failed', detail: 'nobody there' };
    const file = createFakeAnchor(() => outcome);
    const stage = await openTrust({ anchors: { file, rfc3161: file, 'object-lock': file } });
    const noted: number[] = [];
    const noteLook: TrustStore['noteLook'] = (_, { due_at: dueAt }) => {
      noted.push(Math.round((dueAt - stage.clock.nowMicros()) / 1_000_000));
      return Promise.resolve();
    };
    const noting = { deps: { ...stage.deps, trust: { ...stage.trust, noteLook } } };
    await putPolicy(stage, { anchors: [FILE], anchor_interval_seconds: 120 });
    await runConsumer(stage, 'trust.publish');
    await runConsumer(noting, 'trust.anchor');
    stage.clock.advance(10_000_000);
    await runConsumer(noting, 'trust.anchor');
    outcome = CONFIRMED;
    stage.clock.advance(20_000_000);
    await runConsumer(noting, 'trust.anchor');
    stage.clock.advance(90_000_000);
    // By now a round would be due, if there were another tree.
    await runConsumer(noting, 'trust.anchor');
    expect(noted).toEqual([30, 20, 90, 600]);
  });

  it('does not count an attempt that was cut off by the end of the process', async () => {
    const file = createFakeAnchor(() => ({ kind: 'failed', detail: 'cut off' }));
    const stage = await openTrust({ anchors: { file, rfc3161: file, 'object-lock': file } });
    await putPolicy(stage, { anchors: [FILE] });
    await runConsumer(stage, 'trust.publish');
    const { createTrustConsumers } = await import('./consumers.ts');
    const consumer = createTrustConsumers(stage.deps).find(({ topic }) => topic === 'trust.anchor');
    const stopping = new AbortController();
    const cut = createFakeAnchor(() => {
      stopping.abort();
      return { kind: 'failed', detail: 'cut off' };
    });
    Object.assign(stage.deps.anchors, { file: cut });
    await consumer?.run({ id: 'job-1', topic: 'trust.anchor', workspace_id: null, subject: null }, stopping.signal);
    expect((await stage.trust.newestAnchors(stage.workspace.id))[0]?.attempts).toEqual([]);
  });

  it('does without the quorum after a minute, also when a checkpoint is published every other second', async () => {
    const file = createFakeAnchor();
    const stage = await openTrust({ anchors: { file, rfc3161: file, 'object-lock': file } });
    const witness = createTestWitness('away.example', 41);
    const policy = `${formatWitnessLines([witness])}quorum away.example\n`;
    await putPolicy(stage, { anchors: [FILE], checkpoint_interval_seconds: 1, witness_policy: policy });
    for (let seconds = 0; seconds < 62; seconds += 2) {
      expect(file.asked).toEqual([]);
      await createRecord(stage);
      await runConsumer(stage, 'trust.publish');
      await runConsumer(stage, 'trust.anchor');
      stage.clock.advance(2_000_000);
    }
    await runConsumer(stage, 'trust.anchor');
    expect(file.asked).toHaveLength(1);
  });

  it('gives a checkpoint up when a larger one is anchored', async () => {
    const file = createFakeAnchor(() => ({ kind: 'failed', detail: 'nobody there' }));
    const stage = await openTrust({ anchors: { file, rfc3161: file, 'object-lock': file } });
    await putPolicy(stage, { anchors: [FILE] });
    await runConsumer(stage, 'trust.run');
    await createRecord(stage);
    await runConsumer(stage, 'trust.run');
    const reply = await stage.call('GET', '/api/trust/anchors', { as: stage.member });
    const { items } = reply.body as { items: { state: string }[] };
    expect(items.map(({ state }) => state)).toEqual(['pending', 'failed']);
  });
});
