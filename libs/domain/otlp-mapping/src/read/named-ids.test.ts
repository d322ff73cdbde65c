import { describe, expect, it } from '@jest/globals';
import { findNameFault } from '@answer-evidence/contracts';
import { batchOf, log, messages, type Plain, span } from '../../fixtures/items.ts';
import { decideItems, findNamedIds, hashNamedIds, NAMED_ID_RULES, type OtlpItem, reduceItems } from '../index.ts';

const TEXTS = {
  'gen_ai.input.messages': messages(['user', 'asked']),
  'gen_ai.output.messages': messages(['assistant', 'said']),
};

function peopleOf(...given: readonly OtlpItem[]) {
  const { items } = batchOf(...given);
  const reduced = reduceItems(items);
  const hashed = hashNamedIds(reduced, findNamedIds(items, reduced), (kind, id) => `${kind} ${id}`);
  return decideItems(hashed).items.map(({ actorIdHash, sessionIdHash }) => [actorIdHash, sessionIdHash]);
}

const ofSpan = (attributes: { readonly [key: string]: Plain }) =>
  peopleOf(span({ attributes: { ...TEXTS, ...attributes } }));

describe('the ids of people and sessions', () => {
  it.each(NAMED_ID_RULES.actor)('are read of a person in %s', (key) => {
    expect(ofSpan({ [key]: 'anna' })).toEqual([['actor anna', null]]);
  });

  it.each(NAMED_ID_RULES.session)('are read of a session in %s', (key) => {
    expect(ofSpan({ [key]: 's-1' })).toEqual([[null, 'session s-1']]);
  });

  it('are read in the order of the rules, whatever the order of the attributes', () => {
    for (const [kind, n] of [
      ['actor', 0],
      ['session', 1],
    ] as const) {
      const keys = NAMED_ID_RULES[kind];
      const all = Object.fromEntries(keys.toReversed().map((key) => [key, key]));
      expect(ofSpan(all)[0]?.[n]).toBe(`${kind} ${keys[0]}`);
    }
  });

  it('give way to a hash that the sender made', () => {
    const attributes = { 'enduser.id_hash': 'mine', 'user.id': 'anna', 'session.id_hash': 'ours', 'session.id': 's' };
    expect(ofSpan(attributes)).toEqual([['mine', 'ours']]);
  });

  it.each<[Plain, string | null]>([
    [42, 'actor 42'],
    [0, 'actor 0'],
    ['x'.repeat(1_024), `actor ${'x'.repeat(1_024)}`],
    ['x'.repeat(1_025), null],
    ['', null],
    ['\ud800', null],
    [1.5, null],
    [true, null],
  ])('are read of %p as %p', (value, expected) => {
    expect(ofSpan({ 'user.id': value })).toEqual([[expected, null]]);
  });

  it('are passed over where a value cannot be one, or is there twice', () => {
    expect(ofSpan({ 'enduser.id': '', 'user.id': 'anna' })).toEqual([['actor anna', null]]);
    const item = span({ attributes: { ...TEXTS, 'enduser.id': 'a', 'user.id': 'anna' } });
    const twice = { ...item, attributes: [...item.attributes, { key: 'enduser.id', value: 'b' }] };
    expect(peopleOf(twice)).toEqual([['actor anna', null]]);
  });

  it('are those of the answer alone, not of what is above or below it', () => {
    const around = { 'user.id': 'other', 'session.id': 'other' };
    const spans = [
      span({ id: 1, attributes: around }),
      span({ id: 2, parent: 1, attributes: TEXTS }),
      span({ id: 3, parent: 2, attributes: { ...TEXTS, ...around } }),
    ];
    expect(peopleOf(...spans)).toEqual([[null, null]]);
  });

  it('may be in the body of a log record', () => {
    const details = 'gen_ai.client.inference.operation.details';
    const item = log({ event: details, body: { ...TEXTS, 'user.id': 'anna', 'session.id': 's' } });
    expect(peopleOf(item)).toEqual([['actor anna', 'session s']]);
  });

  it('are nowhere in what is read of items before they are hashed', () => {
    const { items } = batchOf(span({ attributes: { ...TEXTS, 'user.id': 'anna', 'session.id': 'anna' } }));
    const text = JSON.stringify(reduceItems(items), (_, value) => (typeof value === 'bigint' ? String(value) : value));
    expect(text).not.toContain('anna');
  });
});

describe('rules, which stay in the ledger', () => {
  it.each([...NAMED_ID_RULES.actor, ...NAMED_ID_RULES.session, 'user.email', 'my.app.user_id', 'session.previous_id'])(
    'may not name %s',
    (name) => {
      expect(findNameFault(name)).toContain('must not identify a person or a session');
    },
  );

  it.each(['thread.id', 'message.id', 'user.role', 'gen_ai.response.id', 'superuser_idle'])('may name %s', (name) => {
    expect(findNameFault(name)).toBeUndefined();
  });
});
