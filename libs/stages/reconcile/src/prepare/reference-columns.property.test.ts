import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createRunRequest } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import { checkRun } from './check-run.ts';
import { rowsOf, sentReferences, toColumns } from './reference-columns.ts';

const hash = fc
  .tuple(fc.constantFrom('sha256', 'hmac-sha256'), fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.boolean())
  .map(([kind, bytes, isUpper]) => {
    const digits = Buffer.from(bytes).toString('hex');
    return `${kind}:${isUpper ? digits.toUpperCase() : digits}`;
  });
const reference = fc.record(
  {
    reference_id: fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom('a', '.', 'é', '"', '😀') }),
    occurred_at: fc.constantFrom('2026-11-20T00:30:00Z', '2026-11-20t01:30:00.1+01:00', '2026-11-20T00:00:00.1234567z'),
    question_hash: hash,
    answer_hash: hash,
  },
  { requiredKeys: ['reference_id', 'occurred_at'] },
);

it('references come out of another thread as they went into it, and as they were sent', () => {
  fc.assert(
    fc.property(fc.array(reference, { minLength: 1, maxLength: 20 }), (references) => {
      const body = createRunRequest.parse({
        application_key: 'support-bot',
        match_on: 'external_message_id',
        window_start: '2026-11-20T00:00:00Z',
        window_end: '2026-11-20T01:00:00Z',
        references,
      });
      const { references: read, errors } = checkRun(body);
      const columns = structuredClone(toColumns(body.references, read));
      expect(errors).toEqual([]);
      expect(canonicalize(sentReferences(columns))).toBe(canonicalize(body.references));
      expect(rowsOf(columns)).toEqual(
        read.map(({ referenceId, occurredAt, questionHash, answerHash }) => ({
          reference_id: referenceId,
          occurred_at: occurredAt,
          question_hash: questionHash,
          answer_hash: answerHash,
        })),
      );
    }),
  );
});
