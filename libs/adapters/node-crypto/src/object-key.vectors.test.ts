import { createCipheriv, createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { concatBytes, formatHex, parseHex, utf8 } from '@answer-evidence/encoding';
import { VaultError } from '@answer-evidence/ports';
import { createEd25519Signer } from './ed25519.ts';
import { NO_OUTSIDE_KEYS } from './outside-key.ts';
import { seal } from './sealing.ts';
import { createWorkspaceVault } from './workspace-vault.ts';

/** The forms that docs/formats/records.md promises, put together from Node's own functions. */
const WORKSPACE = '0199f3c2-0000-7000-8000-000000000001';
const OBJECT = '0199f3c2-0000-7000-8000-0000000000aa';
const workspaceKey = () => Uint8Array.from({ length: 32 }, (_, i) => i);
const vault = createWorkspaceVault(WORKSPACE, workspaceKey(), createEd25519Signer(new Uint8Array(32)), NO_OUTSIDE_KEYS);
const SEED = Uint8Array.from({ length: 32 }, (_, i) => 255 - i);
const OBJECT_KEY = 'd45cd517988740c4ff3f51a1b1dfd33891ef4c3d4eed448f30c4972166db0797';

const derived = (use: string) =>
  Buffer.from(hkdfSync('sha256', createSecretKey(workspaceKey()), '', `answer-evidence/${use}`, 32));

function sealText(key: Uint8Array, text: string): Uint8Array {
  const nonce = new Uint8Array(12).fill(7);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(`12:object-field36:${WORKSPACE}36:${OBJECT}5:texts`));
  return concatBytes(nonce, cipher.update(text), cipher.final(), cipher.getAuthTag());
}

describe('what is stored of an object key', () => {
  it('is a seed since version 2, from which the key follows under a key of the workspace', () => {
    const stored = concatBytes(Uint8Array.of(2), SEED);
    const message = `s10:object-keys36:${OBJECT}b33:${formatHex(stored)}`;
    const key = createHmac('sha256', derived('object-keys/v2')).update(message).digest();
    expect(formatHex(key)).toBe(OBJECT_KEY);
    expect(vault.openObjectKey(OBJECT, stored).open('texts', sealText(key, 'since version 2'))).toBe('since version 2');
  });

  it('was the encrypted key in version 1, and still opens', () => {
    const key = parseHex('5e'.repeat(32));
    const wrapping = createSecretKey(derived('object-keys/v1'));
    const stored = seal(wrapping, `10:object-key36:${WORKSPACE}36:${OBJECT}`, key);
    expect(stored).toHaveLength(60);
    expect(vault.openObjectKey(OBJECT, stored).open('texts', sealText(key, 'of version 1'))).toBe('of version 1');
    stored[30] = (stored[30] ?? 0) ^ 1;
    expect(() => vault.openObjectKey(OBJECT, stored)).toThrow(VaultError);
  });

  it('has a version that is known, and its length', () => {
    for (const version of [0, 1, 4])
      expect(() => vault.openObjectKey(OBJECT, concatBytes(Uint8Array.of(version), SEED))).toThrow(VaultError);
    expect(() => vault.openObjectKey(OBJECT, concatBytes(Uint8Array.of(2), SEED, utf8('x')))).toThrow(VaultError);
  });

  it('is a new seed for each key, and nothing of the key itself', () => {
    const stored = Array.from({ length: 100 }, () => vault.createObjectKey(OBJECT).wrapped);
    expect(new Set(stored.map(formatHex)).size).toBe(100);
    for (const one of stored) expect([one.length, one[0]]).toEqual([33, 2]);
  });

  it('is of version 3 where all contents are sealed as one, and another key follows from the same seed', () => {
    const made = vault.createWholeKey(OBJECT);
    expect([made.wrapped.length, made.wrapped[0], made.isWhole]).toEqual([33, 3, true]);
    expect(vault.openObjectKey(OBJECT, made.wrapped).isWhole).toBe(true);
    expect(vault.createObjectKey(OBJECT).isWhole).toBe(false);
    const sealed = made.seal('whole', '{"texts":{},"items":{}}');
    expect(vault.openObjectKey(OBJECT, made.wrapped).open('whole', sealed)).toBe('{"texts":{},"items":{}}');
    const asVersion2 = made.wrapped.with(0, 2);
    expect(() => vault.openObjectKey(OBJECT, asVersion2).open('whole', sealed)).toThrow(VaultError);
    const stored = concatBytes(Uint8Array.of(3), SEED);
    const message = `s10:object-keys36:${OBJECT}b33:${formatHex(stored)}`;
    const key = createHmac('sha256', derived('object-keys/v2')).update(message).digest();
    expect(vault.openObjectKey(OBJECT, stored).open('texts', sealText(key, 'of version 3'))).toBe('of version 3');
  });
});
