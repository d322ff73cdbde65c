import { describe, expect, it } from '@jest/globals';
import { OneByOneError, toAskedChange } from './to-asked-change.ts';

const access = { role: 'member', applications: null, environments: null } as const;

describe('a change of a member that a second person is asked for', () => {
  it('is what they may do, or that they are disabled', () => {
    expect(toAskedChange({ access })).toEqual({ change: 'access', access });
    expect(toAskedChange({ disabled: true })).toEqual({ change: 'disable' });
  });

  it.each([
    ['two that need one', { access, disabled: true }],
    ['with a new password', { disabled: true, password_reset: true }],
    ['with another subject', { access, provider: null }],
    ['with an end of being disabled', { access, disabled: false }],
  ] as const)('is never several at once: %s', (_name, change) => {
    expect(() => toAskedChange(change)).toThrow(OneByOneError);
  });
});
