import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createMasterVault } from '@answer-evidence/node-crypto';
import { type Table, TRIAGE_STEPS, type TriageStepRow } from '@answer-evidence/tables';
import { isMacValid, macOfRow } from './row-macs.ts';

const vault = createMasterVault(new Uint8Array(32).fill(7));
const { due_at: later, ...types } = TRIAGE_STEPS.types;
/** As the table was before anything was due. */
const EARLIER = {
  ...TRIAGE_STEPS,
  types,
  columns: TRIAGE_STEPS.columns.filter((column) => column !== 'due_at'),
} as unknown as Table<Omit<TriageStepRow, 'due_at'>>;
/** With one more column of this kind. */
const NEWER = {
  ...TRIAGE_STEPS,
  columns: [...TRIAGE_STEPS.columns, 'until'],
  types: { ...TRIAGE_STEPS.types, until: later },
} as unknown as Table<TriageStepRow & { readonly until: number | null }>;

const STEP: Omit<TriageStepRow, 'version' | 'at' | 'erases' | 'due_at'> = {
  ...{ run_id: 'r', position: 0, action: 'comment', member_id: 'm', token_id: 't', state: 'open' },
  ...{ assignee_id: null, resolution: null, text_until: null },
};
const steps = fc
  .record({ version: fc.nat(), at: fc.nat(), erases: fc.option(fc.nat()) })
  .map((step) => ({ ...STEP, ...step }));
const time = fc.option(fc.maxSafeInteger());

describe('the MAC of a row', () => {
  it('is that of before where a column that came later has no value', () => {
    fc.assert(
      fc.property(steps, time, (step, dueAt) => {
        const stored = { ...step, due_at: dueAt, mac: macOfRow(vault, EARLIER, step) };
        expect(isMacValid(vault, TRIAGE_STEPS, stored)).toBe(dueAt === null);
      }),
    );
  });

  it('tells every value of columns that came later from every other, and from none', () => {
    fc.assert(
      fc.property(steps, time, time, time, time, (step, dueAt, until, otherDueAt, otherUntil) => {
        const mac = macOfRow(vault, NEWER, { ...step, due_at: dueAt, until });
        const isSame = dueAt === otherDueAt && until === otherUntil;
        expect(isMacValid(vault, NEWER, { ...step, due_at: otherDueAt, until: otherUntil, mac })).toBe(isSame);
        // What moved from one such column into the other is not what was written.
        const isSwapped = isMacValid(vault, NEWER, { ...step, due_at: until, until: dueAt, mac });
        expect(isSwapped).toBe(dueAt === until);
      }),
    );
  });
});
