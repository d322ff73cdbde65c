import { describe, expect, it } from '@jest/globals';
import { OutboundError, type OutboundHttp } from '@answer-evidence/ports';
import { createTestWitness, createWitnessOutbound, formatWitnessLines } from '../fixtures/create-witness.ts';
import { createClosedOutbound, createFakeTrust, putPolicy, runConsumer } from '../fixtures/trust.ts';
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
          stopping.signal.addEventListener('abort', () => {
            if (signal === stopping.signal)
              reject(new OutboundError('timed_out', 'no complete response arrived in time'));
          });
          setImmediate(() => {
            stopping.abort();
          });
        }),
    };
    const stage = createFakeTrust({ outbound });
    await putPolicy(stage, { witness_policy: POLICY });
    await runConsumer(stage, 'trust.publish');
    const consumer = createTrustConsumers(stage.deps).find(({ topic }) => topic === 'trust.witness');
    const job = { id: 'job-1', topic: 'trust.witness', workspace_id: null, subject: null } as const;
    await consumer?.run(job, stopping.signal);
    expect(await stage.trust.witnessStates(stage.workspace.id)).toEqual([]);
  });

  it('keeps the lead until every witness has answered, also when one could not be asked', async () => {
    const answer = Promise.withResolvers<undefined>();
    const real = createWitnessOutbound(witnesses, () => true);
    const outbound: OutboundHttp = {
      ...real,
      async post(request) {
        if (request.url.includes('one.example')) throw new Error('a fault of this process');
        await answer.promise;
        return real.post(request);
      },
    };
    const stage = createFakeTrust({ outbound });
    await putPolicy(stage, { witness_policy: POLICY });
    await runConsumer(stage, 'trust.publish');
    const run = runConsumer(stage, 'trust.witness');
    run.catch(() => undefined);
    for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(await stage.trust.whileLeading(stage.workspace.id, 'witness', () => Promise.resolve())).toBe(false);
    answer.resolve(undefined);
    await expect(run).rejects.toThrow('a fault of this process');
    expect(await stage.trust.witnessStates(stage.workspace.id)).toMatchObject([{ failures: 0 }]);
  });
});
