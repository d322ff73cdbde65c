import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Anchor } from '@answer-evidence/ports';
import { formatTimestampRequest, verifyTimestamp } from '@answer-evidence/rfc3161';
import { createFakeAnchor, openTestAuthority, type TestAuthority } from '@answer-evidence/testing';
import { createTestWitness, createWitnessOutbound, formatWitnessLines } from '../../fixtures/create-witness.ts';
import {
  appendEvent,
  attachTrace,
  checksWith,
  createRecord,
  openTrust,
  putPolicy,
  runConsumer,
  type TrustTest,
  verifyRecord,
} from '../../fixtures/trust.ts';

// The authority of the tests has the time of the machine, so everybody has.
const seconds = () => Math.floor(Date.now() / 1000);
const witnesses = [createTestWitness('one.example', 41, seconds), createTestWitness('two.example', 42, seconds)];
const QUORUM = `${formatWitnessLines(witnesses)}group both all one.example two.example\nquorum both\n`;

let authority: TestAuthority;
beforeAll(async () => {
  authority = await openTestAuthority();
});
afterAll(() => authority.close());

/** Asks the authority without HTTP. */
function createTokenAnchor(isUp: () => boolean): Anchor {
  return {
    async submit({ digest }) {
      if (!isUp()) return { kind: 'failed', detail: 'no usable response arrived' };
      const nonce = Uint8Array.of(1, 2, 3);
      const artefact = await authority.stamp(formatTimestampRequest({ digest, nonce }));
      const { genTimeMicros } = await verifyTimestamp(artefact, { digest, nonce, rootsPem: [authority.rootPem] });
      return { kind: 'confirmed', artefact, at: genTimeMicros, detail: 'stamped' };
    },
    readNewest: () => Promise.resolve({ kind: 'read', notes: [] }),
  };
}

/** A workspace whose policy asks for a time-stamp and two witnesses; both answer while they are up. */
async function createAnchoring(asked = witnesses) {
  const up = { authority: true, witnesses: true };
  const other = createFakeAnchor();
  const stage = await openTrust({
    anchors: { file: other, 'object-lock': other, rfc3161: createTokenAnchor(() => up.authority) },
    outbound: createWitnessOutbound(asked, () => up.witnesses),
  });
  stage.clock.advance(Date.now() * 1000 - stage.clock.nowMicros());
  const tsa = {
    id: 'tsa',
    type: 'rfc3161' as const,
    url: 'https://tsa.example',
    certificate_pem: authority.rootPem,
    required: true,
  };
  await putPolicy(stage, { anchors: [tsa], anchors_required: 1, witness_policy: QUORUM });
  return { stage, up };
}

const ANCHORING = ['witness_cosignatures', 'external_anchor', 'anchored'];
const anchoringOf = async (stage: TrustTest, id: string) => {
  const result = await verifyRecord(stage, id);
  const outcomes = result.checks.filter(({ check }) => ANCHORING.includes(check)).map(({ outcome }) => outcome);
  return { ...result, outcomes, failed: checksWith('FAIL', result) };
};

describe('a record under a policy with a time-stamp and witnesses', () => {
  it('is PENDING until both vouch for a checkpoint that holds it, and then ANCHORED', async () => {
    const { stage, up } = await createAnchoring();
    up.authority = false;
    up.witnesses = false;
    const { id } = await createRecord(stage);
    expect(await anchoringOf(stage, id)).toMatchObject({ anchoring: 'PENDING', outcomes: ['SKIP', 'SKIP', 'SKIP'] });
    up.witnesses = true;
    await runConsumer(stage, 'trust.run');
    expect(await anchoringOf(stage, id)).toMatchObject({ anchoring: 'PENDING', outcomes: ['PASS', 'SKIP', 'SKIP'] });
    up.authority = true;
    await runConsumer(stage, 'trust.run');
    const anchored = await anchoringOf(stage, id);
    expect(anchored).toMatchObject({ anchoring: 'ANCHORED', outcomes: ['PASS', 'PASS', 'PASS'], failed: [] });
    expect(anchored.sequenced).toMatchObject({ after: null, after_by: [] });
    expect(anchored.sequenced.not_later_than_by).toEqual([{ kind: 'anchor', name: 'tsa' }]);
  });

  it.each<[string, (stage: TrustTest, id: string) => Promise<unknown>]>([
    ['an event', (stage, id) => appendEvent(stage, id, { event_type: 'voided' })],
    ['an attached trace', (stage, id) => attachTrace(stage, id)],
  ])(
    'speaks of the oldest anchored checkpoint that holds every leaf, and %s makes it PENDING again',
    async (_, add) => {
      const { stage } = await createAnchoring();
      const { id } = await createRecord(stage);
      await runConsumer(stage, 'trust.run');
      const first = await anchoringOf(stage, id);
      await createRecord(stage);
      await runConsumer(stage, 'trust.run');
      expect((await anchoringOf(stage, id)).checkpoint).toEqual(first.checkpoint);
      await add(stage, id);
      expect(await anchoringOf(stage, id)).toMatchObject({ anchoring: 'PENDING', failed: [] });
      await runConsumer(stage, 'trust.run');
      const later = await anchoringOf(stage, id);
      expect(later).toMatchObject({ anchoring: 'ANCHORED', failed: [] });
      expect(later.checkpoint?.tree_size).toBeGreaterThan(first.checkpoint?.tree_size ?? 0);
    },
  );

  it('says after which anchored checkpoint it came into the log', async () => {
    const { stage } = await createAnchoring();
    await runConsumer(stage, 'trust.run');
    stage.clock.advance(60_000_000);
    const { id } = await createRecord(stage);
    await runConsumer(stage, 'trust.run');
    const { sequenced, checks } = await verifyRecord(stage, id);
    expect(sequenced).toMatchObject({
      after: expect.stringMatching(/^20/),
      after_by: [{ kind: 'anchor', name: 'tsa' }],
      not_later_than_by: [{ kind: 'anchor', name: 'tsa' }],
    });
    const [after = '', stated = ''] = [sequenced.after, sequenced.stated].map(String);
    expect(after < stated).toBe(true);
    const consistency = checks.find(({ check }) => check === 'checkpoint_consistency');
    expect(consistency?.outcome).toBe('PASS');
  });

  it('is said to come after no tree that was attested only when the record was there', async () => {
    const { stage, up } = await createAnchoring();
    up.authority = false;
    up.witnesses = false;
    await runConsumer(stage, 'trust.run');
    const { id } = await createRecord(stage);
    up.authority = true;
    up.witnesses = true;
    await runConsumer(stage, 'trust.run');
    await createRecord(stage);
    await runConsumer(stage, 'trust.run');
    expect((await verifyRecord(stage, id)).sequenced).toMatchObject({ after: null, after_by: [] });
  });

  it('is not anchored by a time-stamp or a witness whose clock is wrong', async () => {
    for (const change of [-400, 400]) {
      const { stage } = await createAnchoring();
      stage.clock.advance(change * 1_000_000);
      const { id } = await createRecord(stage);
      await runConsumer(stage, 'trust.run');
      expect(await anchoringOf(stage, id)).toMatchObject({ anchoring: 'PENDING', outcomes: ['SKIP', 'SKIP', 'SKIP'] });
      const [newest] = await stage.trust.newestAnchors(stage.workspace.id);
      expect(newest?.attempts.at(-1)).toMatchObject({
        outcome: 'failed',
        detail: expect.stringMatching(
          /^the response is refused: it states 20\S+Z, outside of 20\S+Z to 20\S+Z with a tolerance of 300 seconds$/,
        ),
      });
      const [state] = await stage.trust.witnessStates(stage.workspace.id);
      expect(state?.last_error).toMatch(/^cosignature time wrong: it states 20\S+Z, outside of 20/);
    }
  });

  it('is judged anew by a stricter policy', async () => {
    const { stage } = await createAnchoring();
    const { id } = await createRecord(stage);
    await runConsumer(stage, 'trust.run');
    expect(await anchoringOf(stage, id)).toMatchObject({ anchoring: 'ANCHORED' });
    const third = createTestWitness('three.example', 43);
    const all = [...witnesses, third];
    const { values } = await stage.trust.policy(stage.workspace.id);
    const names = all.map(({ name }) => name).join(' ');
    const stricter = `${formatWitnessLines(all)}group all all ${names}\nquorum all\n`;
    await stage.call('PUT', '/api/trust/policy', { as: stage.manager, body: { ...values, witness_policy: stricter } });
    expect(await anchoringOf(stage, id)).toMatchObject({ anchoring: 'PENDING', failed: [] });
  });

  it('is found however many rounds before lacked an anchor or have a token that does not hold', async () => {
    const { stage, up } = await createAnchoring();
    const { values } = await stage.trust.policy(stage.workspace.id);
    await putPolicy(stage, { ...values, anchors: [...values.anchors, { id: 'disk', type: 'file' }] });
    const { id } = await createRecord(stage);
    async function anchorRounds(rounds: number): Promise<void> {
      for (let round = 0; round < rounds; round++) {
        await createRecord(stage);
        await runConsumer(stage, 'trust.run');
      }
    }
    const real = stage.deps.anchors.rfc3161;
    up.authority = false;
    await anchorRounds(22);
    const artefact = Uint8Array.of(0);
    Object.assign(stage.deps.anchors, {
      rfc3161: createFakeAnchor(() => ({ kind: 'confirmed', artefact, at: null, detail: 'of a root that was pinned' })),
    });
    await anchorRounds(22);
    up.authority = true;
    Object.assign(stage.deps.anchors, { rfc3161: real });
    await anchorRounds(2);
    // Mostly, the newest published checkpoint waits for its anchors.
    await createRecord(stage);
    stage.clock.advance(60_000_000);
    await runConsumer(stage, 'trust.publish');
    const anchored = await anchoringOf(stage, id);
    expect(anchored).toMatchObject({ anchoring: 'ANCHORED', failed: [] });
    const { items } = await stage.trust.listPublished(stage.workspace.id, { offset: 0, limit: 3 });
    expect(anchored.checkpoint?.tree_size).toBe(items[2]?.tree_size);
  });

  it('fails by name when a stored token is of another checkpoint', async () => {
    const { stage } = await createAnchoring();
    const { id } = await createRecord(stage);
    await runConsumer(stage, 'trust.run');
    const real = stage.trust.anchorsOf.bind(stage.trust);
    const another = await authority.stamp(
      formatTimestampRequest({ digest: new Uint8Array(32), nonce: Uint8Array.of(9) }),
    );
    const altered = {
      ...stage.trust,
      confirmedTrees: () => Promise.resolve([]),
      anchorsOf: async (workspaceId: string, size: number) =>
        (await real(workspaceId, size)).map(({ anchor, attempts }) => ({
          anchor,
          attempts: attempts.map((attempt) => ({ ...attempt, artefact: another })),
        })),
    };
    const { createTrustTest } = await import('../../fixtures/trust.ts');
    const tampered = createTrustTest({ ...stage, trust: altered }, { anchors: stage.deps.anchors });
    expect(await anchoringOf(tampered, id)).toMatchObject({
      anchoring: 'NOT_ANCHORED',
      failed: ['external_anchor', 'anchored'],
    });
  });
});

describe('a record under a policy with witnesses alone', () => {
  /** `times` are what the witnesses state, by their names. */
  async function createWitnessing(times: Readonly<Record<string, () => number>> = {}) {
    const asked = ['one.example', 'two.example', 'three.example'].map((name, n) =>
      createTestWitness(name, 51 + n, times[name] ?? seconds),
    );
    const up = { witnesses: true };
    const stage = await openTrust({ outbound: createWitnessOutbound(asked, () => up.witnesses) });
    stage.clock.advance(Date.now() * 1000 - stage.clock.nowMicros());
    const names = asked.map(({ name }) => name).join(' ');
    const policy = `${formatWitnessLines(asked)}group two 2 ${names}\nquorum two\n`;
    await putPolicy(stage, { witness_policy: policy });
    return { stage, up };
  }
  const recordLater = async (stage: TrustTest) => {
    stage.clock.advance(60_000_000);
    const { id } = await createRecord(stage);
    await runConsumer(stage, 'trust.run');
    return (await verifyRecord(stage, id)).sequenced;
  };

  it('says after which witnessed checkpoint it came into the log, and who vouches for that', async () => {
    const early = seconds() - 100;
    const { stage } = await createWitnessing({
      'three.example': () => early,
      'one.example': () => early + 50,
      'two.example': () => early + 70,
    });
    await runConsumer(stage, 'trust.run');
    // The time by which two of them had seen the tree.
    expect(await recordLater(stage)).toMatchObject({
      after: new Date((early + 50) * 1000).toISOString().replace('Z', '000Z'),
      after_by: [
        { kind: 'witness', name: 'one.example' },
        { kind: 'witness', name: 'three.example' },
      ],
      not_later_than: null,
      not_later_than_by: [],
    });
  });

  it('is said to come after no tree that its quorum did not see, or saw only when the record was there', async () => {
    const { stage, up } = await createWitnessing();
    up.witnesses = false;
    await runConsumer(stage, 'trust.run');
    expect(await recordLater(stage)).toMatchObject({ after: null, after_by: [] });
    const late = seconds() + 200;
    const slow = await createWitnessing({ 'one.example': () => late, 'two.example': () => late });
    await runConsumer(slow.stage, 'trust.run');
    expect(await recordLater(slow.stage)).toMatchObject({ after: null, after_by: [] });
  });

  it('stays witnessed while a newer checkpoint waits for its witnesses', async () => {
    const { stage, up } = await createWitnessing();
    const { id: seen } = await createRecord(stage);
    await runConsumer(stage, 'trust.run');
    up.witnesses = false;
    stage.clock.advance(60_000_000);
    const { id: unseen } = await createRecord(stage);
    await runConsumer(stage, 'trust.run');
    const witnessedOf = async (id: string) => {
      const { checks, checkpoint } = await verifyRecord(stage, id);
      return [checks.find(({ check }) => check === 'witness_cosignatures')?.outcome, checkpoint?.tree_size];
    };
    const [before, size] = await witnessedOf(seen);
    const [after, newest] = await witnessedOf(unseen);
    expect([before, after]).toEqual(['PASS', 'SKIP']);
    expect(newest).toBeGreaterThan(Number(size));
    // A bundle waits as well, and then shows that the witnesses are late.
    const sizeOfBundle = async () => {
      const reply = await stage.call('GET', `/api/trust/proofs/answers/${seen}`, { as: stage.manager });
      return Number(String(Object(reply.body).checkpoint).split('\n')[1]);
    };
    expect(await sizeOfBundle()).toBe(size);
    stage.clock.advance(61_000_000);
    expect(await sizeOfBundle()).toBe(newest);
    expect(await witnessedOf(seen)).toEqual(['PASS', size]);
  });

  it('says the later of the two where anchors attest trees, too', async () => {
    const later = () => seconds() + 30;
    const { stage, up } = await createAnchoring([
      createTestWitness('one.example', 41, later),
      createTestWitness('two.example', 42, later),
    ]);
    await runConsumer(stage, 'trust.run');
    stage.clock.advance(60_000_000);
    await createRecord(stage);
    up.authority = false;
    await runConsumer(stage, 'trust.run');
    const { after_by: by } = await recordLater(stage);
    expect(by.map(({ kind }) => kind)).toEqual(['witness', 'witness']);
  });
});

describe('a record under the default policy', () => {
  it('is not anchored, and nothing says that it should be', async () => {
    const stage = await openTrust();
    const { id } = await createRecord(stage);
    await runConsumer(stage, 'trust.publish');
    expect(await anchoringOf(stage, id)).toMatchObject({ anchoring: 'NOT_ANCHORED', outcomes: ['NA', 'NA', 'NA'] });
  });
});
