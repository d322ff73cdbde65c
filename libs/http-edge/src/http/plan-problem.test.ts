import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { problem, PROBLEM_CODES, PROBLEM_TABLE, type ProblemError, ServiceError } from '@answer-evidence/contracts';
import { JsonError } from '@answer-evidence/encoding';
import { StoredDamageError, VaultError } from '@answer-evidence/ports';
import type { ProblemForm } from '@answer-evidence/routes';
import { planProblem, toServiceError } from './plan-problem.ts';

const ID = '0199f3c2-1111-7000-8000-000000000001';

describe('a problem', () => {
  it.each(PROBLEM_CODES)('%s fits the contract', (code) => {
    const planned = planProblem(new ServiceError(code, 'a sentence'), ID, true);
    expect(problem.parse(planned.problem)).toEqual(planned.problem);
    expect(planned.problem).toMatchObject({
      type: `urn:answer-evidence:problem:${code}`,
      status: PROBLEM_TABLE[code].status,
      detail: 'A sentence.',
      request_id: ID,
    });
    expect('Retry-After' in planned.headers).toBe([429, 503].includes(planned.problem.status));
    const challenged = planned.problem.status === 401 || code === 'scope_missing';
    expect('WWW-Authenticate' in planned.headers).toBe(challenged);
  });

  it.each<[string, readonly ProblemError[], string]>([
    ['no such record', [], 'No such record.'],
    ['Service-Version is old', [], 'Service-Version is old.'],
    ['answer_log_id must be a UUID', [], 'answer_log_id must be a UUID.'],
    ['did you mean /x?', [], 'Did you mean /x?'],
    ['the body is wrong', [{ pointer: '/a', detail: 'is required' }], 'The body is wrong at /a: is required.'],
    ['must be x', [{ pointer: '?a', detail: 'must be x' }], '?a: must be x.'],
    ['must be x', [{ pointer: '', detail: 'must be x' }], 'The body: must be x.'],
    [
      'the body is wrong',
      [
        { pointer: '/a', detail: 'is required' },
        { pointer: '/b', detail: 'is required' },
      ],
      'The body is wrong at /a: is required; errors lists 1 more.',
    ],
  ])('of %j with %j says %j', (message, errors, detail) => {
    const planned = planProblem(new ServiceError('schema_violation', message, { errors }), ID, false);
    expect(planned.problem.detail).toBe(detail);
  });

  it('lists at most 20 faults', () => {
    const errors = Array.from({ length: 30 }, (_, i) => ({ pointer: `/${i}`, detail: 'is wrong' }));
    const planned = planProblem(new ServiceError('hash_mismatch', 'x', { errors }), ID, false);
    expect(planned.problem.errors).toHaveLength(20);
  });

  it('has the status and the wait that the form of its route asks for', () => {
    const form: ProblemForm = {
      name: 'Other',
      contentTypes: [],
      statuses: { content_damaged: { status: 503, retryAfterSeconds: 60 } },
      format: () => ({ contentType: '', body: '' }),
    };
    const plan = (error: ServiceError) => planProblem(error, ID, true, form);
    expect(plan(new ServiceError('content_damaged', 'a sentence'))).toMatchObject({
      problem: { status: 503, code: 'content_damaged', title: PROBLEM_TABLE.content_damaged.title },
      headers: { 'Retry-After': '60' },
    });
    expect(plan(new ServiceError('internal', 'a sentence'))).toMatchObject({ problem: { status: 500 }, headers: {} });
    expect(plan(new ServiceError('overloaded', 'a sentence')).headers).toEqual({ 'Retry-After': '1' });
  });

  it('never tells of an error that is not ours, and always of one that is', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8 }), (text) => {
        const hidden = planProblem(toServiceError(new Error(`[${text}]`)), ID, false);
        expect(hidden.problem.code).toBe('internal');
        expect(JSON.stringify(hidden)).not.toContain(JSON.stringify(`[${text}]`).slice(1, -1));
        const shown = planProblem(toServiceError(new ServiceError('not_found', `[${text}]`)), ID, false);
        expect(shown.problem.detail).toBe(`[${text}].`);
      }),
    );
    for (const damage of [new StoredDamageError('secret'), new VaultError('secret'), new JsonError('malformed')]) {
      const { problem } = planProblem(toServiceError(damage), ID, false);
      expect([problem.status, problem.code]).toEqual([500, 'content_damaged']);
      expect(problem.detail).not.toContain('secret');
    }
    for (const thrown of [undefined, null, 'text', 7, {}]) expect(toServiceError(thrown).code).toBe('internal');
  });
});
