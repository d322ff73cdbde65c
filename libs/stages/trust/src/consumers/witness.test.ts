import { describe, expect, it } from '@jest/globals';
import { utf8 } from '@answer-evidence/encoding';
import {
  LOOKS_MICROS_MAX,
  OutboundError,
  type OutboundHttp,
  StoredDamageError,
  type TrustStore,
} from '@answer-evidence/ports';
import { createTestWitness, createWitnessOutbound, formatWitnessLines } from '../fixtures/create-witness.ts';
import {
  createClosedOutbound,
  createRecord,
  openTrust,
  putPolicy,
  runConsumer,
  type TrustTest,
} from '../fixtures/trust.ts';
import { describeClaim } from '../heads/kept-claims.ts';
import { hearWitnesses } from '../witnessing/hear-witnesses.ts';
import { createTrustConsumers } from './consumers.ts';

const witnesses = [createTestWitness('one.example', 41), createTestWitness('two.example', 42)];
const POLICY = `${formatWitnessLines(witnesses)}quorum one.example\n`;

describe('asking witnesses', () => {
  it('ends with the process, which is no failure of the witnesses', async () => {
    const stopping = new AbortController();
    const outbound: OutboundHttp = {
      ...createClosedOutbound(),
      post: ({ signal }) =>
        new Promise((_, reject) => {
          setImmediate(() => {
            stopping.abort();
            if (signal === stopping.signal)
              reject(new OutboundError('timed_out', 'no complete response arrived in time'));
          });
        }),
    };
    const stage = await openTrust({ outbound });
    await putPolicy(stage, { witness_policy: POLICY });
    await runConsumer(stage, 'trust.publish');
    const consumer = createTrustConsumers(stage.deps).find(({ topic }) => topic === 'trust.witness');
    const job = { id: 'job-1', topic: 'trust.witness', workspace_id: null, subject: null } as const;
    await consumer?.run(job, stopping.signal);
    expect(await stage.trust.witnessStates(stage.workspace.id)).toEqual([]);
  });

  it('keeps the lead until every witness has answered, also when one could not be asked', async () => {
    const answer = Promise.withResolvers<undefined>();
    const asked = Promise.withResolvers<undefined>();
    const real = createWitnessOutbound(witnesses, () => true);
    const outbound: OutboundHttp = {
      ...real,
      async post(request) {
        if (request.url.includes('one.example')) throw new Error('a fault of this process');
        asked.resolve(undefined);
        await answer.promise;
        return real.post(request);
      },
    };
    const stage = await openTrust({ outbound });
    await putPolicy(stage, { witness_policy: POLICY });
    await runConsumer(stage, 'trust.publish');
    const run = runConsumer(stage, 'trust.witness');
    run.catch(() => undefined);
    await asked.promise;
    expect(await stage.trust.whileLeading(stage.workspace.id, 'witness', () => Promise.resolve())).toBe(false);
    answer.resolve(undefined);
    await expect(run).rejects.toThrow('a fault of this process');
    expect(await stage.trust.witnessStates(stage.workspace.id)).toMatchObject([{ failures: 0 }]);
  });
});

describe('a look at witnesses', () => {
  it('notes when one that has not cosigned is asked again, and that nobody is once all have', async () => {
    let isUp = false;
    const stage = await openTrust({ outbound: createWitnessOutbound(witnesses, () => isUp) });
    const noted: number[] = [];
    const noteLook: TrustStore['noteLook'] = (_, { part, due_at: dueAt }) => {
      if (part === 'witness') noted.push(dueAt - stage.clock.nowMicros());
      return Promise.resolve();
    };
    const noting = { deps: { ...stage.deps, trust: { ...stage.trust, noteLook } } };
    await putPolicy(stage, { witness_policy: POLICY });
    await runConsumer(stage, 'trust.publish');
    await runConsumer(noting, 'trust.witness');
    stage.clock.advance(2_000_000);
    await runConsumer(noting, 'trust.witness');
    isUp = true;
    stage.clock.advance(4_000_000);
    await runConsumer(noting, 'trust.witness');
    expect(noted.map((micros) => Math.round(micros / 1_000_000))).toEqual([5, 3, LOOKS_MICROS_MAX / 1_000_000]);
  });
});

describe('a witness that was asked by a clock an hour ahead', () => {
  it.each([
    ['cosigned', false],
    ['could not be asked', true],
  ])('and %s is asked again when the clock is right again', async (_, isUnavailable) => {
    let asked = 0;
    const real = createWitnessOutbound(witnesses, () => true);
    const outbound: OutboundHttp = {
      ...real,
      post(request) {
        asked += 1;
        if (isUnavailable) throw new OutboundError('unreachable', 'nobody is there');
        return real.post(request);
      },
    };
    const stage = await openTrust({ outbound });
    await putPolicy(stage, { witness_policy: POLICY });
    stage.clock.advance(3_600_000_000);
    await runConsumer(stage, 'trust.publish');
    await runConsumer(stage, 'trust.witness');
    await createRecord(stage);
    stage.clock.advance(-3_600_000_000);
    const before = asked;
    await runConsumer(stage, 'trust.publish');
    await runConsumer(stage, 'trust.witness');
    expect(asked).toBeGreaterThan(before);
  });
});

describe('a witness that has seen another history', () => {
  /** A witness that names that size whatever it is asked, and refuses a proof from it. */
  function witnessAt(size: () => number | undefined): OutboundHttp {
    const real = createWitnessOutbound(witnesses, () => true);
    return {
      ...real,
      post(request) {
        const named = size();
        if (named === undefined || !request.url.includes('one.example')) return real.post(request);
        const isProof = new TextDecoder().decode(request.body).startsWith(`old ${named}\n`);
        return Promise.resolve({
          status: isProof ? 422 : 409,
          contentType: isProof ? 'text/plain' : 'text/x.tlog.size',
          body: utf8(isProof ? 'no\n' : `${named}\n`),
        });
      },
    };
  }

  it.each([
    ['is ahead of the database', 1_000, /the witness one\.example has seen 1000 entries, but the database held 4/],
    ['refuses the proof from its own size', 1, /one\.example has seen another tree of 1 entries/],
  ])('and %s stops the log, also at a start', async (_, size, words) => {
    let named: number | undefined;
    const outbound = witnessAt(() => named);
    for (const hear of [
      (stage: TrustTest) => runConsumer(stage, 'trust.witness'),
      (stage: TrustTest) => hearWitnesses(stage.deps, new AbortController().signal),
    ]) {
      named = undefined;
      const stage = await openTrust({ outbound });
      await putPolicy(stage, { witness_policy: POLICY });
      await runConsumer(stage, 'trust.publish');
      named = size;
      await hear(stage);
      expect(stage.heads.isStopped(stage.workspace.id)).toBe(true);
      const claims = (await stage.headStore.find(stage.workspace.id))?.claims ?? [];
      expect(claims.map(describeClaim)).toEqual([expect.stringMatching(words)]);
    }
  });

  it('is not believed to, where a proof for it would be made of a hash that was altered', async () => {
    const stage = await openTrust({ outbound: witnessAt(() => 1) });
    await putPolicy(stage, { witness_policy: POLICY });
    await runConsumer(stage, 'trust.publish');
    const change = 'update answer_evidence.ledger_leaves set leaf_hash = $2 where workspace_id = $1 and leaf_index = 1';
    await stage.superuser.query(change, [stage.workspace.id, new Uint8Array(32)]);
    await expect(runConsumer(stage, 'trust.witness')).rejects.toThrow(StoredDamageError);
    await hearWitnesses(stage.deps, new AbortController().signal);
    expect(stage.heads.isStopped(stage.workspace.id)).toBe(false);
  });

  it('is heard at a start although the database says that it has cosigned', async () => {
    const state: { named?: number } = {};
    const stage = await openTrust({ outbound: witnessAt(() => state.named) });
    await putPolicy(stage, { witness_policy: POLICY });
    await runConsumer(stage, 'trust.publish');
    await runConsumer(stage, 'trust.witness');
    state.named = 1_000;
    await runConsumer(stage, 'trust.witness');
    expect(stage.heads.isStopped(stage.workspace.id)).toBe(false);
    await hearWitnesses(stage.deps, new AbortController().signal);
    expect(stage.heads.isStopped(stage.workspace.id)).toBe(true);
  });

  it('is none when it is as large as the database, or away', async () => {
    let isUp = true;
    const stage = await openTrust({ outbound: createWitnessOutbound(witnesses, () => isUp) });
    await putPolicy(stage, { witness_policy: POLICY });
    await runConsumer(stage, 'trust.publish');
    await hearWitnesses(stage.deps, new AbortController().signal);
    isUp = false;
    await hearWitnesses(stage.deps, new AbortController().signal);
    expect(stage.heads.isStopped(stage.workspace.id)).toBe(false);
  });
});
