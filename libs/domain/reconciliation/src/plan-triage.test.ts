import { describe, expect, it } from '@jest/globals';
import { ServiceError, TRIAGE_STEPS_MAX, type TriageStepRequest } from '@answer-evidence/contracts';
import { planTriage, type TriageStanding, UNTOUCHED } from './plan-triage.ts';

const ANNA = '0199f3c2-0000-7000-8000-00000000000a';
const BEN = '0199f3c2-0000-7000-8000-00000000000b';
const anna = { memberId: ANNA, mayErase: false };
const manager = { memberId: ANNA, mayErase: true };
const none = () => undefined;

/** Where it stands after the step, or the code of the refusal. */
function plan(
  standing: Partial<TriageStanding>,
  step: Parameters<typeof planTriage>[1],
  actor = anna,
  stepOf: Parameters<typeof planTriage>[3] = none,
) {
  try {
    return planTriage({ ...UNTOUCHED, ...standing }, step, actor, stepOf);
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

const schedule = (dueAt: number | null) => ({ action: 'schedule', due_at: null, dueAt }) as const;
const assign = (assignee: string | null): TriageStepRequest => ({ action: 'assign', assignee_id: assignee });
const RESOLVED = { state: 'resolved', resolution: 'list_wrong' } as const;

describe('a step of triage', () => {
  it('makes the next version, and changes only what it is about', () => {
    const standing = { version: 3, assigneeId: BEN };
    expect(plan(standing, { action: 'comment', text: 'x' })).toEqual({ ...UNTOUCHED, ...standing, version: 4 });
    expect(plan(standing, { action: 'resolve', resolution: 'accepted' })).toEqual({
      ...{ ...UNTOUCHED, ...standing },
      ...{ version: 4, state: 'resolved', resolution: 'accepted' },
    });
    expect(plan({ ...standing, ...RESOLVED }, { action: 'reopen' })).toEqual({
      ...{ ...UNTOUCHED, ...standing },
      version: 4,
    });
  });

  it('lets members and managers assign anybody, and take from anybody', () => {
    expect(plan({}, assign(ANNA))).toMatchObject({ assigneeId: ANNA });
    expect(plan({ assigneeId: BEN }, assign(ANNA))).toMatchObject({ assigneeId: ANNA });
    expect(plan({ assigneeId: ANNA }, assign(null))).toMatchObject({ assigneeId: null });
    expect(plan({}, assign(BEN))).toMatchObject({ assigneeId: BEN });
    expect(plan({ assigneeId: BEN }, assign(null))).toMatchObject({ assigneeId: null });
    expect(plan({}, assign(BEN), manager)).toMatchObject({ assigneeId: BEN });
    expect(plan({ assigneeId: BEN }, assign(null), manager)).toMatchObject({ assigneeId: null });
  });

  it.each<[string, Partial<TriageStanding>, TriageStepRequest]>([
    ['resolve what is resolved', RESOLVED, { action: 'resolve', resolution: 'other' }],
    ['reopen what is open', {}, { action: 'reopen' }],
    ['assign what is resolved', RESOLVED, assign(ANNA)],
    ['assign to who has it', { assigneeId: ANNA }, assign(ANNA)],
    ['take it from nobody', {}, assign(null)],
    ['schedule what is resolved', RESOLVED, schedule(7)],
    ['schedule for when it is due already', { dueAt: 7 }, schedule(7)],
    ['take a time from what is due at none', {}, schedule(null)],
  ])('does not %s', (_, standing, step) => {
    expect(plan(standing, step, manager)).toBe('transition_not_allowed');
  });

  it('leaves when a finding is due as it is, until a step names another time', () => {
    expect(plan({}, schedule(7))).toEqual({ ...UNTOUCHED, version: 1, dueAt: 7 });
    expect(plan({ dueAt: 7 }, schedule(8))).toMatchObject({ dueAt: 8 });
    expect(plan({ dueAt: 7 }, schedule(null))).toMatchObject({ dueAt: null });
    const others: readonly TriageStepRequest[] = [
      ...[assign(BEN), { action: 'comment', text: 'x' } as const],
      { action: 'resolve', resolution: 'other' },
    ];
    for (const step of others) expect(plan({ dueAt: 7 }, step)).toMatchObject({ dueAt: 7 });
    expect(plan({ dueAt: 7, ...RESOLVED }, { action: 'reopen' })).toMatchObject({ dueAt: 7 });
    expect(plan({ dueAt: 7 }, { ...assign(BEN), dueAt: 8 })).toMatchObject({ assigneeId: BEN, dueAt: 8 });
    expect(plan({ dueAt: 7 }, { ...assign(BEN), dueAt: null })).toMatchObject({ assigneeId: BEN, dueAt: null });
  });

  it('erases a text that is there, for who wrote it and for managers', () => {
    const steps = { 1: { memberId: BEN, hasText: true }, 2: { memberId: ANNA, hasText: true } } as const;
    const erase = (erases: number, actor = anna) =>
      plan({ version: 3 }, { action: 'erase', erases }, actor, (n) => steps[n as 1 | 2]);
    expect(erase(2)).toMatchObject({ version: 4 });
    expect(erase(1)).toBe('role_not_allowed');
    expect(erase(1, manager)).toMatchObject({ version: 4 });
    expect(erase(3)).toBe('schema_violation');
    expect(plan({}, { action: 'erase', erases: 1 }, anna, () => ({ memberId: ANNA, hasText: false }))).toBe(
      'schema_violation',
    );
  });

  it('is one of a bounded number, except for erasing', () => {
    const standing = { version: TRIAGE_STEPS_MAX };
    expect(plan(standing, { action: 'comment', text: 'x' })).toBe('limit_reached');
    expect(plan({ version: TRIAGE_STEPS_MAX - 1 }, { action: 'comment', text: 'x' })).toMatchObject(standing);
    expect(
      plan(standing, { action: 'erase', erases: 1 }, anna, () => ({ memberId: ANNA, hasText: true })),
    ).toMatchObject({ version: TRIAGE_STEPS_MAX + 1 });
  });
});
