import { afterEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { utf8 } from '@answer-evidence/encoding';
import { StoredDamageError } from '@answer-evidence/ports';
import { DAY_MICROS } from '@answer-evidence/testing';
import { answerSpan, openOtlpTest, OTEL, type OtlpTest, traces } from '../../fixtures/otlp.ts';

let test: OtlpTest;
afterEach(() => test.close());

const request = () => ({
  as: test.application,
  body: utf8(JSON.stringify(traces([answerSpan(1, 'a')]))),
  headers: { 'content-type': 'application/json' },
});

describe('a request that cannot be kept', () => {
  it('is answered so that it is sent again, whether it was kept or not, and makes one record', async () => {
    let failures = 2;
    test = await openOtlpTest({}, (_, otlp) => ({
      otlp: {
        ...otlp,
        async accept(...sent) {
          const isKept = failures === 1;
          const result = failures === 2 ? 'accepted' : await otlp.accept(...sent);
          if (failures-- > 0)
            throw new ServiceError('ledger_unavailable', isKept ? 'kept' : 'lost', { remedy: 'retry' });
          return result;
        },
      },
    }));
    for (const status of [503, 503, 200]) expect((await test.call('POST', OTEL, request())).status).toBe(status);
    await test.workOff();
    expect((await test.listed()).map(({ idempotency_key: key, trace_refs: refs }) => [key, refs])).toEqual([['a', []]]);
  });

  it('is answered so while the clock is behind; what was acknowledged before becomes a record', async () => {
    test = await openOtlpTest();
    await test.send(traces([answerSpan(1, 'before')]));
    test.clockGuard.judgement = { state: 'behind', byMicros: 400 * DAY_MICROS };
    const late = { ...request(), body: utf8(JSON.stringify(traces([answerSpan(2, 'during')]))) };
    expect(await test.call('POST', OTEL, late)).toMatchObject({
      status: 503,
      code: 'clock_behind',
      headers: { 'Retry-After': '60' },
    });
    const keys = async () => (await test.listed()).map(({ idempotency_key: key }) => key);
    await test.workOff();
    expect(await keys()).toEqual(['before']);
    test.clockGuard.judgement = { state: 'plausible' };
    expect(await test.call('POST', OTEL, late)).toMatchObject({ status: 200 });
    await test.workOff();
    expect(await keys()).toEqual(['before', 'during']);
  });

  it('is answered so while what it would be added to is damaged, in words that say so', async () => {
    let isDamaged = true;
    test = await openOtlpTest({}, (_, otlp) => ({
      otlp: {
        ...otlp,
        async accept(...sent) {
          if (isDamaged) throw new StoredDamageError('a secret');
          return otlp.accept(...sent);
        },
      },
    }));
    const refused = await test.call('POST', OTEL, request());
    expect(refused).toMatchObject({ status: 503, code: 'content_damaged', headers: { 'Retry-After': '60' } });
    expect(refused.body).toMatchObject({ code: 14, message: expect.stringMatching(/altered.*\(content_damaged\)$/) });
    isDamaged = false;
    expect((await test.call('POST', OTEL, request())).status).toBe(200);
    await test.workOff();
    expect(await test.listed()).toHaveLength(1);
  });

  it('is answered so too while the policy keeps changing, and keeps nothing', async () => {
    test = await openOtlpTest({}, (_, otlp) => ({
      otlp: { ...otlp, accept: () => Promise.resolve('settings_changed') },
    }));
    expect(await test.call('POST', OTEL, request())).toMatchObject({ status: 503, code: 'ledger_unavailable' });
    expect(await test.otlp.backlog(test.workspace.id)).toMatchObject({ batches: 0 });
  });
});
