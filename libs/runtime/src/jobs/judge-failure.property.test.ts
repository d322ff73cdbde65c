import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ServiceError } from '@answer-evidence/contracts';
import { StoredDamageError, VaultError } from '@answer-evidence/ports';
import { judgeFailure } from './judge-failure.ts';

const chance = fc.double({ min: 0, max: 0.999, noNaN: true });

describe('judgeFailure', () => {
  it('tries again with pauses that grow, spread over the upper half of each, and never past 15 minutes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), chance, (number, given) => {
        const judgement = judgeFailure(new Error('x'), number, 61, given);
        if (judgement.kind !== 'retry') throw new Error('it must be tried again');
        const full = Math.min(2_000 * 2 ** (number - 1), 900_000);
        expect(judgement.afterMs).toBeGreaterThanOrEqual(full / 2);
        expect(judgement.afterMs).toBeLessThanOrEqual(full);
      }),
    );
  });

  it('gives up at the last attempt, whatever failed, and shows nothing of an unexpected error but a plain name', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.string(), fc.string({ minLength: 1 }), (max, message, name) => {
        const error = Object.assign(new Error(message), { name: `${name} 7` });
        const judgement = judgeFailure(error, max, max, 0);
        expect(judgement).toEqual({
          kind: 'give-up',
          reason: { code: 'internal', detail: `failed ${max} times, most recently with an unexpected Error` },
        });
      }),
    );
  });

  it.each([new StoredDamageError('a secret'), new VaultError('a secret')])(
    'gives up what is damaged at once',
    (error) => {
      const judgement = judgeFailure(error, 1, 8, 0);
      expect(judgement).toMatchObject({ kind: 'give-up', reason: { code: 'content_damaged' } });
      expect(JSON.stringify(judgement)).not.toContain('secret');
    },
  );

  it.each([
    ['retry', 'retry'],
    ['give-up', 'give-up'],
    ['fix-request', 'give-up'],
    ['stop-process', 'stop-process'],
  ] as const)('takes the remedy %s for %s', (remedy, kind) => {
    const error = new ServiceError('ledger_unavailable', 'a sentence', { remedy });
    expect(judgeFailure(error, 1, 8, 0).kind).toBe(kind);
  });
});
