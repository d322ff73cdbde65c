import { describe, expect, it } from '@jest/globals';
import { GROUPS_MAX, groupsFrom } from './proven-groups.ts';

const many = (count: number) => Array.from({ length: count }, (_, n) => `group-${n}`);

describe('the groups of a person', () => {
  it.each([
    ['a claim that is not there', {}, []],
    ['no group', { groups: [] }, []],
    ['several, each once', { groups: ['a', 'b c', 'a', 'É'] }, ['a', 'b c', 'É']],
    ['one as a text', { groups: 'a,b' }, ['a,b']],
    ['as many as may be', { groups: many(GROUPS_MAX) }, many(GROUPS_MAX)],
    ['claims elsewhere about something else', { groups: ['a'], _claim_names: { roles: 'src1' } }, ['a']],
    ['no more than are sent', { groups: ['a'], hasgroups: false }, ['a']],
  ])('are read from %s', (_, claims, names) => {
    expect(groupsFrom(claims, 'groups')).toEqual({ names: new Set(names) });
  });

  it.each([
    ['elsewhere', { _claim_names: { groups: 'src1' }, _claim_sources: {} }, 'groups_not_sent'],
    ['elsewhere, beside some', { groups: ['a'], _claim_names: { groups: 'src1' } }, 'groups_not_sent'],
    ['too many for a token', { hasgroups: true }, 'groups_not_sent'],
    ['too many for a token, as a text', { hasgroups: 'true' }, 'groups_not_sent'],
    ['too many', { groups: many(GROUPS_MAX + 1) }, 'too_many_groups'],
    ['numbers', { groups: ['a', 7] }, 'groups_not_texts'],
    ['nested', { groups: [['a']] }, 'groups_not_texts'],
    ['objects', { groups: { a: true } }, 'groups_not_texts'],
    ['null', { groups: null }, 'groups_not_texts'],
  ])('are not guessed where they are %s', (_, claims, fault) => {
    expect(groupsFrom(claims, 'groups')).toEqual({ reason: fault });
  });
});
