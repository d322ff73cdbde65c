import { describe, expect, it } from '@jest/globals';
import type { SettingsValues } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

async function refuse(body: object, settings: Partial<SettingsValues> = {}) {
  const { call, database, manager } = createFakeStage(createWorkspaceStage, settings);
  const before = database.rows.ledger_leaves.length;
  const reply = await call('PATCH', '/api/tenant/settings', { as: manager, body });
  expect(reply).toMatchObject({ status: 422 });
  expect(database.rows.ledger_leaves).toHaveLength(before);
  expect(database.rows.hash_keys).toEqual([]);
  return reply;
}

describe('PATCH /api/tenant/settings', () => {
  it.each([0, 3651, 1.5, '30', null])('refuses %p days of retention', async (days) => {
    const reply = await refuse({ answer_audit_default_retention_days: days });
    expect(reply).toMatchObject({
      code: 'schema_violation',
      errors: [{ pointer: '/answer_audit_default_retention_days' }],
    });
  });

  it.each([
    [{ days: 0, reason: 'a law' }, '/days'],
    [{ days: 3651, reason: 'a law' }, '/days'],
    [{ days: 183, reason: '' }, '/reason'],
    [{ days: 183, reason: ' \u00a0' }, '/reason'],
    [{ days: 183, reason: 'a law\u202e' }, '/reason'],
    [{ days: 183, reason: 'x'.repeat(201) }, '/reason'],
    [{ days: 183 }, '/reason'],
    [{ reason: 'a law' }, '/days'],
    [183, ''],
  ])('refuses the floor %j of the retention', async (floor, pointer) => {
    const reply = await refuse({ answer_audit_retention_floor: floor });
    expect(reply).toMatchObject({
      code: 'schema_violation',
      errors: [{ pointer: `/answer_audit_retention_floor${pointer}` }],
    });
  });

  it('refuses a default retention below the floor', async () => {
    const floor = { days: 183, reason: 'AI Act, Articles 19(1) and 26(6)' };
    const reply = await refuse({ answer_audit_default_retention_days: 182 }, { answer_audit_retention_floor: floor });
    expect(reply).toMatchObject({
      code: 'retention_out_of_range',
      errors: [{ pointer: '/answer_audit_default_retention_days' }],
    });
  });

  it('refuses a field that it does not know', async () => {
    expect(await refuse({ answer_audit_store_text: true })).toMatchObject({ code: 'schema_violation' });
  });

  const chat = { operation_name: 'chat' };
  const of = (more: object, application_key = 'helpdesk') => ({ application_key, ...more });
  const named = (name: string, value: unknown = 'x') => ({ attributes: [{ name, value }] });
  it.each<readonly [what: string, rules: unknown, pointer: string, detail: RegExp]>([
    ['no list', {}, '', /must be an array/],
    ['null', null, '', /must be an array/],
    ['rules without an application', [{ exclude: [chat] }], '/0/application_key', /is required/],
    ['two sets for one application', [of({}), of({}, 'b'), of({})], '/2/application_key', /merge the rules/],
    ['a criterion that is misspelt', [of({ exclude: [{ scope: 'a' }] })], '/0/exclude/0/scope', /unknown field/],
    [
      'a near operation',
      [of({ include: [{ operation_name: 'invoke-agent' }] })],
      '/0/include/0/operation_name',
      /did you mean "invoke_agent"/,
    ],
    [
      'an operation that never answers',
      [of({ exclude: [{ operation_name: 'execute_tool' }] })],
      '/0/exclude/0/operation_name',
      /must be one of "chat"/,
    ],
    [
      'a near kind',
      [of({ exclude: [chat, { span_kind: 'CLIENT' }] })],
      '/0/exclude/1/span_kind',
      /did you mean "client"/,
    ],
    ['a rule that says nothing', [of({ exclude: [{}] })], '/0/exclude/0', /at least one property/],
    ['no attributes', [of({ exclude: [{ attributes: [] }] })], '/0/exclude/0/attributes', /must not be empty/],
    [
      'an attribute twice',
      [
        of({
          exclude: [
            {
              attributes: [
                { name: 'a', value: 1 },
                { name: 'a', value: 2 },
              ],
            },
          ],
        }),
      ],
      '/0/exclude/0/attributes/1/name',
      /must differ/,
    ],
    [
      'a value of another type',
      [of({ exclude: [named('a', ['x'])] })],
      '/0/exclude/0/attributes/0/value',
      /a string of 1 to 200/,
    ],
    ['a fraction', [of({ exclude: [named('a', 0.5)] })], '/0/exclude/0/attributes/0/value', /an integer/],
    [
      'a control character',
      [of({ exclude: [named('a\u0007')] })],
      '/0/exclude/0/attributes/0/name',
      /control characters/,
    ],
    [
      'the id of a person',
      [of({ exclude: [named('user.id', 'alice')] })],
      '/0/exclude/0/attributes/0/name',
      /must not identify a person/,
    ],
    [
      'a mark',
      [of({ include: [named('service.audit.idempotency_key')] })],
      '/0/include/0/attributes/0/name',
      /must not begin with/,
    ],
    [
      'a star within a name',
      [of({ exclude: [{ scope_name: 'a*b' }] })],
      '/0/exclude/0/scope_name',
      /\* at its end only/,
    ],
    ['a long name', [of({ exclude: [{ scope_name: 'x'.repeat(201) }] })], '/0/exclude/0/scope_name', /at most 200/],
    [
      'one rule twice',
      [
        of({
          exclude: [
            { ...chat, is_root: true },
            { is_root: true, ...chat },
          ],
        }),
      ],
      '/0/exclude/1',
      /must differ from rule 1/,
    ],
    [
      'an include that is excluded',
      [of({ include: [{ ...chat, is_root: true }], exclude: [chat] })],
      '/0/include/0',
      /rule 1 of exclude/,
    ],
    [
      'an include below an excluded scope',
      [of({ include: [{ scope_name: 'a.b' }], exclude: [{ scope_name: 'a.*' }] })],
      '/0/include/0',
      /rule 1 of exclude/,
    ],
    [
      'rules where only marks count',
      [of({ answers: 'marked', exclude: [chat] })],
      '/0/exclude',
      /must be empty if answers is marked/,
    ],
    ['a path without a slash', [of({ answer: [{ attribute: 'a', path: 'b' }] })], '/0/answer/0/path', /JSON Pointer/],
    ['a path with a tilde', [of({ answer: [{ attribute: 'a', path: '/~2' }] })], '/0/answer/0/path', /JSON Pointer/],
    [
      'a path of too many steps',
      [of({ question: [{ attribute: 'a', path: '/b'.repeat(17) }] })],
      '/0/question/0/path',
      /at most 16 steps/,
    ],
    ['no place', [of({ question: [] })], '/0/question', /must not be empty/],
    [
      'too many places',
      [of({ question: Array.from({ length: 9 }, (_, n) => ({ attribute: `a${n}` })) })],
      '/0/question',
      /at most 8/,
    ],
    ['a place without an attribute', [of({ answer: [{ path: '/a' }] })], '/0/answer/0/attribute', /required|string/],
    ['a member of no name', [of({ answer: [{ attribute: 'a', member: 'b' }] })], '/0/answer/0/member', /unknown/],
    [
      'one place twice',
      [
        of({
          answer: [
            { attribute: 'a', when: chat },
            { when: chat, attribute: 'a' },
          ],
        }),
      ],
      '/0/answer/1',
      /must differ from place 1/,
    ],
    [
      'the id of a person as a text',
      [of({ question: [{ attribute: 'user.id' }] })],
      '/0/question/0/attribute',
      /person/,
    ],
    [
      'a mark as a text',
      [of({ answer: [{ attribute: 'service.audit.answer_text' }] })],
      '/0/answer/0/attribute',
      /must not begin with/,
    ],
    ['an empty when', [of({ answer: [{ attribute: 'a', when: {} }] })], '/0/answer/0/when', /at least one property/],
    ['a never of nothing', [of({ never: [{}] })], '/0/never/0', /at least one text/],
    [
      'one never twice',
      [of({ never: [{ answer_begins: 'a' }, { answer_begins: 'a' }] })],
      '/0/never/1',
      /must differ from item 1/,
    ],
    ['siblings that are no rule', [of({ siblings: 'first' })], '/0/siblings', /last/],
    [
      'places where only marks count',
      [of({ answers: 'marked', answer: [{ attribute: 'a' }] })],
      '/0/answer',
      /must be left out if answers is marked/,
    ],
    [
      'too many rules',
      [of({ exclude: Array.from({ length: 33 }, (_, n) => ({ scope_name: `s${n}` })) })],
      '/0/exclude',
      /at most 32 items/,
    ],
    ['too many applications', Array.from({ length: 51 }, (_, n) => of({}, `a${n}`)), '', /at most 50 items/],
    [
      'too large a set',
      Array.from({ length: 50 }, (_, n) =>
        of({ exclude: [named('a', `${n}`.padEnd(200)), named('b', `${n}`.padEnd(200))] }, `a${n}`),
      ),
      '',
      /at most 16384 characters/,
    ],
  ])('refuses rules for OTLP with %s, at the place, and changes nothing', async (_, rules, pointer, detail) => {
    expect(await refuse({ answer_audit_otlp_rules: rules, answer_audit_store_answer_text: false })).toMatchObject({
      code: 'schema_violation',
      errors: [{ pointer: `/answer_audit_otlp_rules${pointer}`, detail: expect.stringMatching(detail) }],
    });
  });

  it('refuses a hash key that does not exist, and with it the rest of the patch', async () => {
    const body = { answer_audit_default_retention_days: 30, answer_audit_hash_key_id: 'hk_none' };
    expect(await refuse(body)).toMatchObject({
      code: 'hash_key_not_found',
      errors: [{ pointer: '/answer_audit_hash_key_id' }],
    });
  });

  it('refuses to take away both text and hash', async () => {
    expect(await refuse({ answer_audit_accept_text: false })).toMatchObject({
      code: 'settings_unusable',
      errors: [{ pointer: '/answer_audit_accept_text' }],
    });
  });

  it('refuses keyed hashing where only hashes are accepted, and makes no key', async () => {
    const hashOnly = { answer_audit_accept_text: false, answer_audit_accept_caller_hash: true };
    expect(await refuse({ answer_audit_keyed_hash_enabled: true }, hashOnly)).toMatchObject({
      code: 'settings_unusable',
      errors: [{ pointer: '/answer_audit_keyed_hash_enabled' }],
    });
  });
});
