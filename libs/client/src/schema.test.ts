import { hashKeyList } from '@answer-evidence/contracts';
import { describe, expect, it } from '@jest/globals';
import { parseExactReply, parseReply } from './schema.ts';

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
