import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { utf8 } from '@answer-evidence/encoding';
import { type OutsideKeys, VaultError, type WorkspaceVault } from '@answer-evidence/ports';
import { createMasterVault } from './master-vault.ts';
import { verifySignature } from './verify-signature.ts';

const MASTER_KEY = Uint8Array.from({ length: 32 }, (_, i) => i);
const ONE = '0199f3c2-0000-7000-8000-000000000001';
const OTHER = '0199f3c2-0000-7000-8000-000000000002';
const OBJECT = '0199f3c2-0000-7000-8000-0000000000aa';
const OTHER_OBJECT = '0199f3c2-0000-7000-8000-0000000000bb';

const master = createMasterVault(MASTER_KEY);
const secrets = master.createWorkspaceSecrets(ONE);
const reopen = (): WorkspaceVault => master.openWorkspace(ONE, secrets.wrappedKey, secrets.wrappedLedgerSeed);
const vault = reopen();

/** Each copy of the bytes with one bit flipped, then the copies with a byte less or more. */
function* altered(bytes: Uint8Array): Generator<Uint8Array> {
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const copy = Uint8Array.from(bytes);
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    yield copy;
  }
  yield bytes.subarray(1);
  yield bytes.subarray(0, -1);
  yield Uint8Array.of(...bytes, 0);
  yield bytes.subarray(0, 27);
  yield new Uint8Array();
}

describe('an object key', () => {
  it('opens what it sealed, also when opened from storage later', () => {
    for (const text of [
      '',
      'a',
      '{"answer":"ä\u2028"}',
      '\ufeffwith a byte order mark',
      '\u0000',
      '😀'.repeat(50_000),
    ]) {
      const key = vault.createObjectKey(OBJECT);
      const sealed = key.seal('texts', text);
      expect(key.open('texts', sealed)).toBe(text);
      expect(reopen().openObjectKey(OBJECT, key.wrapped).open('texts', sealed)).toBe(text);
    }
  });

  it('seals nothing that would come back as another text', () => {
    expect(() => vault.createObjectKey(OBJECT).seal('texts', '\ud800')).toThrow();
  });

  it('refuses anything sealed in which any one bit is another', () => {
    const key = vault.createObjectKey(OBJECT);
    for (const bad of altered(key.seal('texts', 'yes'))) expect(() => key.open('texts', bad)).toThrow(VaultError);
  });

  it('opens nothing after any one bit of what is stored of it is another', () => {
    const key = vault.createObjectKey(OBJECT);
    const sealed = key.seal('texts', 'yes');
    for (const bad of altered(key.wrapped))
      expect(() => vault.openObjectKey(OBJECT, bad).open('texts', sealed)).toThrow(VaultError);
  });

  it('opens for no other field, object, workspace or key', () => {
    const key = vault.createObjectKey(OBJECT);
    const sealed = key.seal('texts', 'yes');
    expect(() => key.open('items', sealed)).toThrow(VaultError);
    expect(() => vault.createObjectKey(OBJECT).open('texts', sealed)).toThrow(VaultError);
    expect(() => vault.openObjectKey(OTHER_OBJECT, key.wrapped).open('texts', sealed)).toThrow(VaultError);
    const others = master.createWorkspaceSecrets(OTHER);
    const other = master.openWorkspace(OTHER, others.wrappedKey, others.wrappedLedgerSeed);
    expect(() => other.openObjectKey(OBJECT, key.wrapped).open('texts', sealed)).toThrow(VaultError);
  });

  it('tells apart where object and field begin', () => {
    const key = vault.createObjectKey('ab');
    const same = vault.openObjectKey('ab', key.wrapped);
    const sealed = key.seal('text', 'x');
    expect(() => same.open('4:text', sealed)).toThrow(VaultError);
    expect(() => vault.openObjectKey('a', key.wrapped).open('text', sealed)).toThrow(VaultError);
  });

  it('never seals or wraps to the same bytes twice', () => {
    const key = vault.createObjectKey(OBJECT);
    expect(key.seal('texts', 'yes')).not.toEqual(key.seal('texts', 'yes'));
    expect(vault.createObjectKey(OBJECT).wrapped).not.toEqual(key.wrapped);
  });

  it('names neither text nor key in its errors', () => {
    const key = vault.createObjectKey(OBJECT);
    const sealed = key.seal('texts', 'marker-text');
    let thrown: unknown;
    try {
      key.open('other', sealed);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(VaultError);
    const error = thrown instanceof VaultError ? thrown : new VaultError();
    expect(error.cause).toBeUndefined();
    expect(error.message).toBe('a sealed value does not authenticate');
  });
});

describe('a hash key', () => {
  it('opens to the 32 bytes that its fingerprint names, in a vault opened later too', () => {
    const { wrapped, fingerprint } = vault.createHashKey('hk_1');
    const key = reopen().openHashKey('hk_1', wrapped);
    expect(key).toHaveLength(32);
    expect(vault.fingerprintOfHashKey(key)).toBe(fingerprint);
    expect(fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(vault.createHashKey('hk_1').fingerprint).not.toBe(fingerprint);
  });

  it('opens under no other id, with no bit changed, and not as an object key', () => {
    const { wrapped } = vault.createHashKey('hk_1');
    expect(() => vault.openHashKey('hk_2', wrapped)).toThrow(VaultError);
    expect(() => vault.openObjectKey('hk_1', wrapped)).toThrow(VaultError);
    expect(() => vault.openHashKey(OBJECT, vault.createObjectKey(OBJECT).wrapped)).toThrow(VaultError);
    for (const bad of altered(wrapped)) expect(() => vault.openHashKey('hk_1', bad)).toThrow(VaultError);
  });
});

describe("a workspace's derived keys", () => {
  const others = master.createWorkspaceSecrets(OTHER);
  const other = master.openWorkspace(OTHER, others.wrappedKey, others.wrappedLedgerSeed);

  it('fingerprint requests equally in one workspace for ever, and differently in another', () => {
    expect(reopen().fingerprint('{"a":1}')).toEqual(vault.fingerprint('{"a":1}'));
    expect(vault.fingerprint('{"a":1}')).toHaveLength(32);
    expect(vault.fingerprint('{"a":2}')).not.toEqual(vault.fingerprint('{"a":1}'));
    expect(other.fingerprint('{"a":1}')).not.toEqual(vault.fingerprint('{"a":1}'));
    expect(() => vault.fingerprint('\ud800')).toThrow();
  });

  it('bind rows equally in one workspace for ever, and differently in another', () => {
    const parts = ['a', 1, Uint8Array.of(1)];
    expect(reopen().mac('rows', parts)).toEqual(vault.mac('rows', parts));
    expect(vault.mac('rows', parts)).toHaveLength(32);
    expect(other.mac('rows', parts)).not.toEqual(vault.mac('rows', parts));
    expect(vault.mac('t', ['a', 'bc'])).not.toEqual(vault.mac('t', ['ab', 'c']));
  });

  it('differ by their use: the fingerprint of a message is not the MAC of it', () => {
    expect(vault.fingerprint('s4:rows')).not.toEqual(vault.mac('rows', []));
  });

  it('sign what Node verifies with the ledger key, the same for ever', async () => {
    const x = Buffer.from(vault.firstLedgerKey.publicKey).toString('base64url');
    const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
    const message = 'example.com/log\n3\nä\n';
    const signature = Buffer.from(await vault.firstLedgerKey.sign(message));
    expect(verify(null, Buffer.from(message), publicKey, signature)).toBe(true);
    expect(verify(null, Buffer.from(`${message} `), publicKey, signature)).toBe(false);
    expect(reopen().firstLedgerKey.publicKey).toEqual(vault.firstLedgerKey.publicKey);
    expect(other.firstLedgerKey.publicKey).not.toEqual(vault.firstLedgerKey.publicKey);
  });
});

describe.each([
  ['ed25519', 32, 64],
  ['ml-dsa-44', 1312, 2420],
] as const)('a further key of the log by %s', (algorithm, keyBytes, signatureBytes) => {
  const otherSecrets = master.createWorkspaceSecrets(OTHER);
  const other = master.openWorkspace(OTHER, otherSecrets.wrappedKey, otherSecrets.wrappedLedgerSeed);
  const make = () => vault.createLedgerKey((publicKey) => `name of ${publicKey.length} bytes`, algorithm);

  it('signs by the public key that it was named after, whoever opens it', async () => {
    const made = await make();
    expect(made.name).toBe(`name of ${keyBytes} bytes`);
    const opened = [vault, reopen()].map((one) => one.openLedgerKey(made.name, made.wrapped, algorithm));
    expect(opened[0]?.publicKey).toEqual(opened[1]?.publicKey);
    for (const { publicKey, sign } of opened) {
      const signature = await sign('example.com/log\n');
      expect(signature).toHaveLength(signatureBytes);
      expect(verifySignature(publicKey, utf8('example.com/log\n'), signature)).toBe(true);
      // What was signed is remembered, and another message is not taken for it.
      expect(await sign(utf8('example.com/log\n'))).toEqual(signature);
      expect(verifySignature(publicKey, utf8('other\n'), await sign('other\n'))).toBe(true);
    }
  });

  it('opens under no other name, in no other workspace, and not altered', async () => {
    const made = await make();
    expect(() => vault.openLedgerKey('name', made.wrapped, algorithm)).toThrow(VaultError);
    expect(() => other.openLedgerKey(made.name, made.wrapped, algorithm)).toThrow(VaultError);
    for (const bad of altered(made.wrapped))
      expect(() => vault.openLedgerKey(made.name, bad, algorithm)).toThrow(VaultError);
  });
});

describe('a master vault', () => {
  it('opens a workspace for no other id, with no part altered or in the place of the other', () => {
    const { wrappedKey, wrappedLedgerSeed } = secrets;
    expect(() => master.openWorkspace(OTHER, wrappedKey, wrappedLedgerSeed)).toThrow(VaultError);
    expect(() => master.openWorkspace(ONE, wrappedLedgerSeed, wrappedKey)).toThrow(VaultError);
    for (const bad of altered(wrappedKey)) {
      expect(() => master.openWorkspace(ONE, bad, wrappedLedgerSeed)).toThrow(VaultError);
    }
    for (const bad of altered(wrappedLedgerSeed)) {
      expect(() => master.openWorkspace(ONE, wrappedKey, bad)).toThrow(VaultError);
    }
  });

  it('opens nothing of another master key', () => {
    const another = createMasterVault(Uint8Array.from(MASTER_KEY, (byte) => byte ^ 1));
    expect(() => another.openWorkspace(ONE, secrets.wrappedKey, secrets.wrappedLedgerSeed)).toThrow(VaultError);
    expect(() => another.unwrap('label', master.wrap('label', Uint8Array.of(1)))).toThrow(VaultError);
  });

  it('leaves the master key to its caller', () => {
    const key = Uint8Array.from(MASTER_KEY);
    const made = createMasterVault(key);
    expect(key).toEqual(MASTER_KEY);
    key.fill(0);
    expect(made.openWorkspace(ONE, secrets.wrappedKey, secrets.wrappedLedgerSeed).firstLedgerKey.publicKey).toEqual(
      vault.firstLedgerKey.publicKey,
    );
  });

  it('unwraps what it wrapped, of any length, and leaves the secret as it was', () => {
    for (const size of [0, 1, 32, 5_000]) {
      const secret = new Uint8Array(size).fill(7);
      const wrapped = master.wrap('token-signing-key/1', secret);
      expect(secret).toEqual(new Uint8Array(size).fill(7));
      expect(createMasterVault(MASTER_KEY).unwrap('token-signing-key/1', wrapped)).toEqual(secret);
    }
  });

  it('unwraps under no other label and with no bit changed', () => {
    const wrapped = master.wrap('a', Uint8Array.of(1, 2, 3));
    expect(() => master.unwrap('b', wrapped)).toThrow(VaultError);
    for (const bad of altered(wrapped)) expect(() => master.unwrap('a', bad)).toThrow(VaultError);
  });

  it('never takes a workspace for a secret of the installation', () => {
    expect(() => master.unwrap(ONE, secrets.wrappedKey)).toThrow(VaultError);
    const wrapped = master.wrap(ONE, new Uint8Array(32));
    expect(() => master.openWorkspace(ONE, wrapped, secrets.wrappedLedgerSeed)).toThrow(VaultError);
  });

  it('gives each login a password of its own, which only the same master key gives again', () => {
    expect(master.passwordOf('app')).toMatch(/^[\w-]{43}$/);
    expect(createMasterVault(MASTER_KEY).passwordOf('app')).toBe(master.passwordOf('app'));
    const another = createMasterVault(Uint8Array.from(MASTER_KEY, (byte) => byte ^ 1));
    expect(new Set([master, another].flatMap((one) => ['app', 'relay'].map(one.passwordOf))).size).toBe(4);
  });

  it('is made of 32 bytes only', () => {
    for (const size of [0, 16, 31, 33]) expect(() => createMasterVault(new Uint8Array(size))).toThrow(VaultError);
  });
});

describe('a ledger key outside of the process', () => {
  const key = { reference: 'pkcs11:0a1b', publicKey: new Uint8Array(32).fill(5) };
  const signed = new Uint8Array(64).fill(6);
  const outside: OutsideKeys = {
    makesNew: true,
    create: () => Promise.resolve(key),
    signerOf: ({ reference, publicKey }) => ({
      publicKey,
      sign: (message) => Promise.resolve(message === 'm' && reference === key.reference ? signed : new Uint8Array()),
    }),
  };
  const withOutside = createMasterVault(MASTER_KEY, outside);

  it('is opened by the form that is stored, in place of the first key and of a further one', async () => {
    const wrappedSeed = await withOutside.createOutsideSeed(ONE);
    expect(await master.createOutsideSeed(ONE)).toBeUndefined();
    const there = withOutside.openWorkspace(ONE, secrets.wrappedKey, wrappedSeed ?? new Uint8Array());
    expect(there.firstLedgerKey.publicKey).toEqual(key.publicKey);
    expect(await there.firstLedgerKey.sign('m')).toEqual(signed);
    const { name, wrapped } = await there.createLedgerKey(() => 'the name');
    expect(name).toBe('the name');
    expect(await there.openLedgerKey('the name', wrapped).sign('m')).toEqual(signed);
    expect(() => there.openLedgerKey('another name', wrapped)).toThrow(VaultError);
    for (const bad of altered(wrapped)) expect(() => there.openLedgerKey('the name', bad)).toThrow(VaultError);
  });

  it('signs nothing in a program that does not use such keys, and is known by its public half', async () => {
    const wrappedSeed = (await withOutside.createOutsideSeed(ONE)) ?? new Uint8Array();
    const { firstLedgerKey } = master.openWorkspace(ONE, secrets.wrappedKey, wrappedSeed);
    expect(firstLedgerKey.publicKey).toEqual(key.publicKey);
    await expect(firstLedgerKey.sign('m')).rejects.toThrow('does not use keys of logs that are outside');
    expect(() => master.openWorkspace(OTHER, secrets.wrappedKey, wrappedSeed)).toThrow(VaultError);
  });

  it('does not change what keys in the process sign', async () => {
    const there = withOutside.openWorkspace(ONE, secrets.wrappedKey, secrets.wrappedLedgerSeed);
    expect(await there.firstLedgerKey.sign('m')).toEqual(reopen().firstLedgerKey.sign('m'));
  });
});
