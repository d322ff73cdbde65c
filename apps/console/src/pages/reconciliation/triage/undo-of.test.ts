import { describe, expect, it } from '@jest/globals';
import type { Triage } from '@answer-evidence/contracts';
import { undoOf } from './undo-of.ts';

const DUE = '2026-12-05T23:59:59.000000Z';
const ANNA = { id: '0199f3c2-0000-7000-8000-00000000000a', username: 'anna' };
const open: Triage = { state: 'open', assignee: ANNA, resolution: null, due_at: DUE, version: 3, changed_at: DUE };
const untouched: Triage = { ...open, assignee: null, due_at: null };

describe('taking back a step', () => {
  it('is the step to where the finding stood', () => {
    expect(undoOf({ action: 'assign', assignee_id: null }, open)).toEqual({ action: 'assign', assignee_id: ANNA.id });
    expect(undoOf({ action: 'assign', assignee_id: ANNA.id, due_at: DUE }, untouched)).toEqual({
      action: 'assign',
      assignee_id: null,
      due_at: null,
    });
    expect(undoOf({ action: 'schedule', due_at: null }, open)).toEqual({ action: 'schedule', due_at: DUE });
    expect(undoOf({ action: 'schedule', due_at: DUE }, untouched)).toEqual({ action: 'schedule', due_at: null });
    expect(undoOf({ action: 'resolve', resolution: 'other' }, open)).toEqual({ action: 'reopen' });
    expect(undoOf({ action: 'reopen' }, { ...open, state: 'resolved', resolution: 'accepted' })).toEqual({
      action: 'resolve',
      resolution: 'accepted',
    });
  });

  it('is not offered for what was written or erased', () => {
    expect(undoOf({ action: 'comment', text: 'x' }, open)).toBeUndefined();
    expect(undoOf({ action: 'erase', erases: 1 }, open)).toBeUndefined();
  });
});
