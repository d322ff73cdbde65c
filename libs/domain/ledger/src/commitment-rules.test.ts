import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ServiceError, type TextOrHash } from '@answer-evidence/contracts';
import { planCommitment } from './commitment-rules.ts';

const TEXT = 'why';
const OWN = `sha256:${createHash('sha256').update(TEXT).digest('hex')}`;
const OTHER = `sha256:${'0'.repeat(64)}`;
const POINTERS = { text: '/question/text', hash: '/question/hash' };

const SENT: Readonly<Record<string, TextOrHash>> = {
  text: { text: TEXT },
  hash: { hash: OTHER },
  'text and its hash': { text: TEXT, hash: OWN },
  'text and another hash': { text: TEXT, hash: OTHER },
};

/** Every policy, whatever is sent, and what becomes of it: `<mode>`, or `<code> <pointer>`. */
const TABLE: readonly (readonly [
  acceptText: boolean,
  acceptHash: boolean,
  keyed: boolean,
  sent: string,
  is: string,
])[] = [
  [true, true, false, 'text', 'plain'],
  [true, true, false, 'hash', 'caller'],
  [true, true, false, 'text and its hash', 'plain'],
  [true, true, false, 'text and another hash', 'hash_mismatch /question/hash'],
  [true, true, true, 'text', 'keyed'],
  [true, true, true, 'hash', 'caller_hash_not_accepted /question/hash'],
  [true, true, true, 'text and its hash', 'caller_hash_not_accepted /question/hash'],
  [true, true, true, 'text and another hash', 'caller_hash_not_accepted /question/hash'],
  [true, false, false, 'text', 'plain'],
  [true, false, false, 'hash', 'caller_hash_not_accepted /question/hash'],
  [true, false, false, 'text and its hash', 'plain'],
  [true, false, false, 'text and another hash', 'hash_mismatch /question/hash'],
  [true, false, true, 'text', 'keyed'],
  [true, false, true, 'hash', 'caller_hash_not_accepted /question/hash'],
  [true, false, true, 'text and its hash', 'caller_hash_not_accepted /question/hash'],
  [true, false, true, 'text and another hash', 'caller_hash_not_accepted /question/hash'],
  [false, true, false, 'text', 'text_not_accepted /question/text'],
  [false, true, false, 'hash', 'caller'],
  [false, true, false, 'text and its hash', 'text_not_accepted /question/text'],
  [false, true, false, 'text and another hash', 'text_not_accepted /question/text'],
  [false, true, true, 'text', 'text_not_accepted /question/text'],
  [false, true, true, 'hash', 'caller_hash_not_accepted /question/hash'],
  [false, true, true, 'text and its hash', 'text_not_accepted /question/text'],
  [false, true, true, 'text and another hash', 'text_not_accepted /question/text'],
  [false, false, false, 'text', 'text_not_accepted /question/text'],
  [false, false, false, 'hash', 'caller_hash_not_accepted /question/hash'],
  [false, false, false, 'text and its hash', 'text_not_accepted /question/text'],
  [false, false, false, 'text and another hash', 'text_not_accepted /question/text'],
  [false, false, true, 'text', 'text_not_accepted /question/text'],
  [false, false, true, 'hash', 'caller_hash_not_accepted /question/hash'],
  [false, false, true, 'text and its hash', 'text_not_accepted /question/text'],
  [false, false, true, 'text and another hash', 'text_not_accepted /question/text'],
];

function policyOf(acceptText: boolean, acceptHash: boolean, keyed: boolean) {
  return {
    answer_audit_accept_text: acceptText,
    answer_audit_accept_caller_hash: acceptHash,
    answer_audit_keyed_hash_enabled: keyed,
    answer_audit_hash_key_id: keyed ? 'hk_1' : null,
  };
}

describe('the commitment rules', () => {
  it('are stated for every policy and everything that can be sent', () => {
    expect(new Set(TABLE.map((row) => row.slice(0, 4).join())).size).toBe(2 ** 3 * Object.keys(SENT).length);
  });

  it.each(TABLE)('accept_text %s, accept_caller_hash %s, keyed %s: %s is %s', (text, hash, keyed, sent, expected) => {
    let came: string;
    try {
      const plan = planCommitment(policyOf(text, hash, keyed), SENT[sent] ?? {}, POINTERS);
      came = plan.mode;
      expect(plan).toEqual(
        {
          plain: { mode: 'plain', hash: OWN, text: TEXT },
          caller: { mode: 'caller', hash: OTHER },
          keyed: { mode: 'keyed', text: TEXT, hashKeyId: 'hk_1' },
        }[plan.mode],
      );
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      came = `${error.code} ${error.errors.map(({ pointer }) => pointer).join()}`;
      expect(error.remedy).toBe('fix-request');
      expect(JSON.stringify([error.message, error.errors])).not.toContain(TEXT);
    }
    expect(came).toBe(expected);
  });

  it('take an empty text as a text', () => {
    const plan = planCommitment(policyOf(true, false, false), { text: '' }, POINTERS);
    expect(plan).toMatchObject({ mode: 'plain', text: '' });
    expect(() => planCommitment(policyOf(false, true, false), { text: '' }, POINTERS)).toThrow('does not accept text');
  });

  it('refuse nothing at all', () => {
    expect(() => planCommitment(policyOf(true, true, false), {}, POINTERS)).toThrow('must have text, hash or both');
  });

  it('never run keyed without a key', () => {
    const policy = { ...policyOf(true, false, true), answer_audit_hash_key_id: null };
    expect(() => planCommitment(policy, { text: TEXT }, POINTERS)).toThrow('without an active key');
  });
});
