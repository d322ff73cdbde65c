import { describe, expect, it } from '@jest/globals';
import { anchorItem, hashKeyList, pageOf, unattachedTrace } from '@answer-evidence/contracts';
import { parseExactReply, parseReply } from './schema.ts';

const list = pageOf(unattachedTrace);
const page = { page: 1, size: 50, total: 3, total_relation: 'eq', next_cursor: null };
const trace = {
  id: '0199f3c2-0000-7000-8000-000000000001',
  application_key: 'support-bot',
  environment: 'production',
  idempotency_key: 'one',
  signal: 'span',
  trace_id: null,
  span_id: null,
  reason: 'given_up',
  answer_log_id: null,
  received_at: '2026-11-20T09:00:00.000000Z',
  unattached_at: '2026-11-20T09:00:00.000000Z',
};
const key = { id: 'hk_1', active: true, created_at: '2026-11-20T09:00:00.000000Z' };

describe('parseReply', () => {
  it('drops what a newer service adds, at any depth, and keeps the rest', () => {
    const reply = { items: [{ ...key, rotated_at: null }], next: 1 };
    expect(parseReply(hashKeyList, reply)).toEqual({ value: { items: [key] } });
  });

  it('names the place of what the contract does not allow, and never the value', () => {
    const parsed = parseReply(hashKeyList, { items: [{ ...key, active: 'secret-value', more: 1 }] });
    expect(parsed).toHaveProperty('fault', expect.stringContaining('/items/0'));
    expect(JSON.stringify(parsed)).not.toContain('secret-value');
  });

  it('keeps a value that a newer service has added to a list which may get longer, beside what else is new', () => {
    const next = { ...trace, reason: 'a_reason_of_tomorrow' };
    const items = [trace, { ...next, sky: 'blue' }, { ...next }];
    expect(parseReply(list, { ...page, items })).toEqual({ value: { ...page, items: [trace, next, next] } });
  });

  it('keeps a type of anchors that it does not know', () => {
    const anchor = {
      id: trace.id,
      anchor_id: 'a',
      type: 'opentimestamps',
      tree_size: 1,
      digest: '',
      state: 'pending',
      created_at: trace.received_at,
      anchored_at: null,
      next_attempt_at: null,
      attempts: [],
    };
    const reply = { ...page, items: [{ ...anchor }] };
    expect(parseReply(pageOf(anchorItem), reply)).toEqual({ value: { ...page, items: [anchor] } });
  });

  it('refuses a new value in a list that is fixed, and what is no text in one that may get longer', () => {
    const fixed = { ...page, items: [{ ...trace, signal: 'metric' }] };
    expect(parseReply(list, fixed)).toEqual({ fault: 'at /items/0/signal' });
    for (const reason of [1, null, undefined, {}])
      expect(parseReply(list, { ...page, items: [{ ...trace, reason }] })).toHaveProperty('fault');
  });

  it.each([[undefined], [null], [[]], ['text']])('refuses %p', (reply) => {
    expect(parseReply(hashKeyList, reply)).toHaveProperty('fault');
  });
});

describe('parseExactReply', () => {
  it('takes what the contract names, and refuses anything more', () => {
    expect(parseExactReply(hashKeyList, { items: [key] })).toEqual({ value: { items: [key] } });
    expect(parseExactReply(hashKeyList, { items: [key], next: 1 })).toHaveProperty('fault');
  });
});
