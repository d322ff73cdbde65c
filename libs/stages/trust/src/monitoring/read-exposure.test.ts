import { describe, expect, it } from '@jest/globals';
import { createFakeAnchor } from '@answer-evidence/testing';
import { createTestWitness, createWitnessOutbound, formatWitnessLines } from '../fixtures/create-witness.ts';
import { createRecord, openTrust, putPolicy, runConsumer } from '../fixtures/trust.ts';
import { readExposure } from './read-exposure.ts';

const BUCKET = {
  id: 'bucket',
  type: 'object-lock',
  url: 'https://bucket.example',
  bucket: 'checkpoints',
  region: 'us-east-1',
  prefix: '',
  retention_days: 1,
  access_key_id: 'writer',
  secret_access_key: 'secret',
  required: true,
} as const;

type Stage = Awaited<ReturnType<typeof openTrust>>;

async function exposureOf({ deps }: Stage) {
  const [workspace] = await deps.directory.list();
  return readExposure(deps, workspace?.id ?? '');
}

describe('what nobody outside vouches for', () => {
  it('is every entry before the first publication and none after it', async () => {
    const stage = await openTrust();
    await createRecord(stage);
    const before = await exposureOf(stage);
    expect(before.unpublishedEntries).toBeGreaterThan(0);
    await runConsumer(stage, 'trust.publish');
    expect(await exposureOf(stage)).toEqual({
      unpublishedEntries: 0,
      oldestUnanchoredAt: undefined,
      anchorsFailing: 0,
      isRenewalFailing: false,
      authoritiesEndAt: undefined,
      witnessesFailing: 0,
    });
    await createRecord(stage);
    expect((await exposureOf(stage)).unpublishedEntries).toBe(1);
  });

  it('is as old as the first entry that the anchors have not confirmed, and an anchor that fails is counted until it confirms', async () => {
    let isUp = false;
    const anchor = createFakeAnchor(() =>
      isUp
        ? { kind: 'confirmed', artefact: new Uint8Array(2), at: null, detail: 'kept' }
        : { kind: 'failed', detail: 'nobody there' },
    );
    const stage = await openTrust({
      anchors: { file: createFakeAnchor(), rfc3161: createFakeAnchor(), 'object-lock': anchor },
    });
    await putPolicy(stage, { anchors: [BUCKET, { id: 'local', type: 'file' }] });
    await createRecord(stage);
    await runConsumer(stage, 'trust.run');
    const [workspace] = await stage.deps.directory.list();
    const [first] = await stage.deps.logs.leaves(workspace?.id ?? '', 0, 1);
    expect(await exposureOf(stage)).toMatchObject({ oldestUnanchoredAt: first?.at, anchorsFailing: 1 });
    isUp = true;
    await runConsumer(stage, 'trust.run');
    expect(await exposureOf(stage)).toMatchObject({ oldestUnanchoredAt: undefined, anchorsFailing: 0 });
    const { created_at: createdAt } = await createRecord(stage);
    const { oldestUnanchoredAt } = await exposureOf(stage);
    expect(oldestUnanchoredAt).toBe(Date.parse(createdAt) * 1_000 + Number(createdAt.slice(23, 26)));
  });

  it('counts a witness that does not answer until it does, or is asked no more', async () => {
    const witness = createTestWitness('w1.example', 1);
    let isUp = false;
    const stage = await openTrust({ outbound: createWitnessOutbound([witness], () => isUp) });
    const policy = { witness_policy: `${formatWitnessLines([witness])}quorum ${witness.name}\n` };
    await putPolicy(stage, policy);
    await runConsumer(stage, 'trust.run');
    expect(await exposureOf(stage)).toMatchObject({ witnessesFailing: 1 });
    isUp = true;
    await runConsumer(stage, 'trust.run');
    expect(await exposureOf(stage)).toMatchObject({ witnessesFailing: 0 });
    isUp = false;
    await createRecord(stage);
    await runConsumer(stage, 'trust.run');
    expect(await exposureOf(stage)).toMatchObject({ witnessesFailing: 1 });
    await putPolicy(stage, {});
    expect(await exposureOf(stage)).toMatchObject({ witnessesFailing: 0 });
  });
});
