import { describe, expect, it } from '@jest/globals';
import { listenersOf } from './listeners.ts';

const told = {
  type: 'record.corrected',
  subject: 's',
  happenedAt: 10,
  isOfEntry: true,
  content: {},
} as unknown as Parameters<typeof listenersOf>[0];
const target = (id: string, types: string | null, from = 0) => ({
  id,
  event_types_json: types,
  created_at: from,
  mail_json: null,
  member_id: null,
  role: null,
  access_json: null,
});
const idsOf = (...all: Parameters<typeof listenersOf>[1]) => listenersOf(told, all).map(({ id }) => id);

describe('who is told', () => {
  it('is who wants the type, from the beginning of the target on', () => {
    const all = [target('all', null), target('it', '["record.corrected"]'), target('other', '["record.voided"]')];
    expect(idsOf(...all, target('later', null, 11))).toEqual(['all', 'it']);
    expect(listenersOf({ ...told, isOfEntry: undefined }, [target('later', null, 11)])).toHaveLength(1);
    expect(listenersOf({ ...told, except: 'all' }, all).map(({ id }) => id)).toEqual(['it']);
  });

  it('is a member of what their role and limits let them read, and nobody who is none any more', () => {
    const own = (role: 'manager' | 'member' | null, access: object | null) =>
      listenersOf({ ...told, type: 'record.redacted', content: { about: { application_key: 'a' } } }, [
        { ...target('own', null), member_id: 'm', role, access_json: access === null ? null : JSON.stringify(access) },
      ]).length;
    const reviewer = (application: string) => ({
      applications: [application],
      environments: null,
      role: 'reviewer',
    });
    expect([own('manager', null), own('member', null), own(null, null)]).toEqual([1, 1, 0]);
    expect([own('member', reviewer('a')), own('member', reviewer('b'))]).toEqual([1, 0]);
    // Nobody guesses what a damaged row would let them see.
    expect(own('member', { role: 'reviewer' })).toBe(0);
  });

  it.each(['', '[', '{}', '"record.voided"', 'null', '["record.voided"'])(
    'is also a target whose types were damaged to %j, and its neighbours',
    (types) => {
      expect(idsOf(target('damaged', types), target('whole', '["record.corrected"]'))).toEqual(['damaged', 'whole']);
    },
  );
});
