import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { commitPlain } from '@answer-evidence/commitments';
import type { TextOrHash } from '@answer-evidence/contracts';
import { isUsableSettings, planCommitment } from './commitment-rules.ts';

const policies = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()).map(([text, hash, keyed]) => ({
  answer_audit_accept_text: text,
  answer_audit_accept_caller_hash: hash,
  answer_audit_keyed_hash_enabled: keyed,
  answer_audit_hash_key_id: 'hk_1',
}));

const texts = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed());
const POINTERS = { text: '/text', hash: '/hash' };

function isAccepted(policy: Parameters<typeof planCommitment>[0], value: TextOrHash): boolean {
  try {
    planCommitment(policy, value, POINTERS);
    return true;
  } catch {
    return false;
  }
}

describe('a policy', () => {
  it('is usable exactly when some text, or some hash, or both would be accepted under it', () => {
    const seen = new Set<boolean>();
    fc.assert(
      fc.property(policies, texts, (policy, text) => {
        const hash = commitPlain(text);
        const some = [{ text }, { hash }, { text, hash }].some((value) => isAccepted(policy, value));
        expect(isUsableSettings(policy)).toBe(some);
        seen.add(some);
      }),
    );
    expect(seen.size).toBe(2);
  });
});

describe('a text beside a hash', () => {
  it('is accepted with its own SHA-256, and with no other', () => {
    const policy = {
      answer_audit_accept_text: true,
      answer_audit_accept_caller_hash: false,
      answer_audit_keyed_hash_enabled: false,
      answer_audit_hash_key_id: null,
    };
    fc.assert(
      fc.property(texts, texts, (text, other) => {
        expect(isAccepted(policy, { text, hash: commitPlain(text) })).toBe(true);
        expect(isAccepted(policy, { text, hash: commitPlain(other) })).toBe(text === other);
      }),
    );
  });

  it('is not normalised: composed and decomposed forms have commitments of their own', () => {
    expect(commitPlain('\u00e9')).not.toBe(commitPlain('e\u0301'));
    expect(commitPlain('a\r\n')).not.toBe(commitPlain('a\n'));
  });
});
