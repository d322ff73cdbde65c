import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { utf8 } from '@answer-evidence/encoding';
import { verifySignature } from '@answer-evidence/node-crypto';
import { guardOutsideKeys, KeyWrapperError, LogKeyError } from '@answer-evidence/ports';
import { logKeyServiceContract } from '@answer-evidence/ports/contracts';
import { hasSoftHsm, openSoftHsm, type SoftHsm, withVariables } from '@answer-evidence/testing';
import { openToken, type Token } from './open-token.ts';

const FAULTY = fileURLToPath(new URL('../fixtures/faulty-pkcs11js', import.meta.url));
const ABSENT = '00'.repeat(16);
const MESSAGE = utf8('example.com/log\n1\n');
/** Longer than anything takes here; what must be late has a deadline of its own. */
const LONG_MS = 60_000;
const SECRET = new Uint8Array(32).fill(9);

let hsm: SoftHsm;
beforeAll(async () => {
  if (hasSoftHsm()) hsm = await openSoftHsm();
});
afterAll(async () => {
  if (hasSoftHsm()) await hsm.close();
});

type Change = {
  readonly token?: string;
  readonly pin?: string;
  readonly module?: string;
  readonly packageFolder?: string;
};

function withToken<T>(action: (token: Token) => Promise<T>, change: Change = {}, deadlineMs = LONG_MS): Promise<T> {
  return withVariables(hsm.variables, async () => {
    const { module, token, pin, packageFolder } = hsm;
    const opened = openToken({ module, token, pin, packageFolder, ...change }, { deadlineMs, pauseMs: 0 });
    try {
      return await action(opened);
    } finally {
      await opened.close();
    }
  });
}

/** A token whose library has the faults that it is given. */
function withFaults<T>(
  action: (
    token: Token,
    become: (fault: string | undefined) => Promise<void>,
    logins: () => Promise<number>,
  ) => Promise<T>,
  deadlineMs = LONG_MS,
): Promise<T> {
  const file = join(hsm.tokens, '..', 'fault');
  const become = (fault: string | undefined) =>
    fault === undefined ? rm(file, { force: true }) : writeFile(file, fault);
  const logins = async () => (await readFile(`${file}.logins`, 'utf8')).length;
  return withVariables({ FAULTY_PKCS11JS_REAL: hsm.packageFolder, FAULTY_PKCS11JS_FILE: file }, async () => {
    await become(undefined);
    await rm(`${file}.logins`, { force: true });
    return withToken((token) => action(token, become, logins), { packageFolder: FAULTY }, deadlineMs);
  });
}

async function failureOf(action: Promise<unknown>): Promise<string> {
  try {
    await action;
    return 'nothing failed';
  } catch (error) {
    if (error instanceof LogKeyError || error instanceof KeyWrapperError) return `${error.kind}: ${error.message}`;
    throw error;
  }
}

const describeHere = hasSoftHsm() ? describe : describe.skip;

describeHere('keys of logs in a token', () => {
  for (const promise of logKeyServiceContract)
    it(promise.guarantee, () =>
      withToken(({ keys }) => promise.prove({ service: keys, verify: verifySignature, unknown: ABSENT })),
    );

  it('are sensitive and cannot be taken out, as a foreign tool sees them', async () => {
    const { reference } = await withToken(({ keys }) => keys.createKey('the log of a test'));
    const listed = await hsm.tool('--list-objects', '--type', 'privkey', '--id', reference);
    expect(listed).toContain('the log of a test');
    expect(listed).toMatch(/Access:\s+sensitive, always sensitive, never extract(able|able, local)?/);
    expect(listed).toContain('Private Key Object; EC_EDWARDS');
  });

  it('that could be taken out are refused, with what to do', async () => {
    const id = 'aa'.repeat(16);
    await hsm.tool('--keypairgen', '--key-type', 'EC:edwards25519', '--id', id, '--extractable', '--label', 'loose');
    await withToken(async ({ keys }) => {
      for (const failure of [await failureOf(keys.sign(id, MESSAGE)), await failureOf(keys.publicKeyOf(id))])
        expect(failure).toBe(
          'refused: the token "evidence" (PKCS#11): the key can be taken out of it: make a new one, and retire this one',
        );
    });
  });

  it('outlive the process of the library', async () => {
    const made = await withToken(({ keys }) => keys.createKey('a log'));
    await withToken(async ({ keys }) => {
      expect(await keys.publicKeyOf(made.reference)).toEqual(made.publicKey);
      expect(verifySignature(made.publicKey, MESSAGE, await keys.sign(made.reference, MESSAGE))).toBe(true);
    });
  });
});

describeHere('a token that cannot be opened', () => {
  const cases: readonly (readonly [string, Change, string])[] = [
    ['wrong PIN', { pin: '000000' }, 'refused: the token "evidence" (PKCS#11): the PIN is wrong: correct PKCS11_PIN'],
    ['another label', { token: 'nobody' }, 'away: the token "nobody" (PKCS#11): there is no token with this label'],
    ['no library', { module: '/nowhere/lib.so' }, '/nowhere/lib.so is no library of PKCS#11 for this machine'],
    ['no library of PKCS#11', { module: '/etc/passwd' }, '/etc/passwd is no library of PKCS#11 for this machine'],
    ['no pkcs11js', { packageFolder: '/nowhere' }, 'the package pkcs11js is not installed or not compiled: run tools/'],
  ];
  for (const [what, change, text] of cases)
    it(`says what to change: ${what}`, () =>
      withToken(async (token) => {
        expect(await failureOf(token.open())).toContain(text);
        expect(await failureOf(token.keys.sign(ABSENT, MESSAGE))).toContain(text);
      }, change));

  it('is never tried a second time with a wrong PIN, which would lock it', () =>
    withFaults(async (token, become, logins) => {
      await become('locked');
      for (let times = 0; times < 3; times++)
        expect(await failureOf(token.keys.sign(ABSENT, MESSAGE))).toContain('its PIN is locked after wrong ones');
      expect(await logins()).toBe(1);
    }));

  it('is not tried at all when one more wrong PIN would lock it', () =>
    withFaults(async (token, become) => {
      await become('final-try');
      expect(await failureOf(token.open())).toContain('one more wrong PIN locks it: log in once with the right one');
    }));
});

describeHere('a token that fails while it is used', () => {
  it('is opened again when its session is lost, and signs', () =>
    withFaults(async ({ keys }, become, logins) => {
      const { reference, publicKey } = await keys.createKey('a log');
      await become('lost-once');
      expect(verifySignature(publicKey, MESSAGE, await keys.sign(reference, MESSAGE))).toBe(true);
      expect(await logins()).toBe(2);
    }));

  it('is unavailable while it is removed, and signs when it is back', () =>
    withFaults(async ({ keys }, become) => {
      const { reference, publicKey } = await keys.createKey('a log');
      await become('removed');
      expect(await failureOf(keys.sign(reference, MESSAGE))).toContain(
        'away: the token "evidence" (PKCS#11): there is no',
      );
      await become(undefined);
      expect(verifySignature(publicKey, MESSAGE, await keys.sign(reference, MESSAGE))).toBe(true);
    }));

  it('that ends its process is unavailable, and does not end this one', () =>
    withFaults(async ({ keys }, become) => {
      const { reference } = await keys.createKey('a log');
      await become('crash');
      expect(await failureOf(keys.sign(reference, MESSAGE))).toContain(
        'away: the token "evidence" (PKCS#11): its library ended',
      );
      await become(undefined);
      expect(await keys.sign(reference, MESSAGE)).toHaveLength(64);
    }));

  it('that does not respond is given up at the deadline', async () => {
    const { reference } = await withFaults(({ keys }) => keys.createKey('a log'));
    await withFaults(async ({ keys }, become) => {
      await become('hang');
      const late = await Promise.all([1, 2].map(() => failureOf(keys.sign(reference, MESSAGE))));
      for (const failure of late) expect(failure).toContain('it did not respond within 300 ms');
    }, 300);
    await withFaults(async ({ keys }) => expect(await keys.sign(reference, MESSAGE)).toHaveLength(64));
  });

  it('that cannot make Ed25519 keys says which mechanisms are needed', () =>
    withFaults(async ({ keys }, become) => {
      await become('no-ed25519');
      expect(await failureOf(keys.createKey('a log'))).toContain(
        'keys of logs need CKM_EC_EDWARDS_KEY_PAIR_GEN and CKM_EDDSA',
      );
    }));

  it('that signs wrongly or has another key never gets a signature past the guard', () =>
    withFaults(async ({ keys }, become) => {
      const guarded = guardOutsideKeys({ serviceOf: () => keys, newIn: 'pkcs11', verify: verifySignature });
      const [key, other] = [await guarded.create('a log'), await guarded.create('another log')];
      await become('wrong');
      expect(await failureOf(Promise.resolve(guarded.signerOf(key).sign('text')))).toContain(
        "gave a signature that is not of the log's key; nothing was signed with it",
      );
      await become(undefined);
      const mixed = guarded.signerOf({ publicKey: key.publicKey, reference: other.reference });
      expect(await failureOf(Promise.resolve(mixed.sign('text')))).toContain("not of the log's key");
      expect(await failureOf(mixed.examine?.() ?? Promise.resolve())).toContain('has another key than the log');
      expect(await guarded.signerOf(key).sign('text')).toHaveLength(64);
    }));
});

describeHere('a key of a token that wraps', () => {
  it('gives back what was wrapped for the same purpose alone', () =>
    withToken(async (token) => {
      const wrapper = token.wrapperOf('wrapping');
      const wrapped = await wrapper.wrap('master-key', SECRET);
      expect(await wrapper.unwrap('master-key', wrapped)).toEqual(SECRET);
      expect(await wrapper.wrap('master-key', SECRET)).not.toEqual(wrapped);
      const altered = wrapped.slice();
      altered[20] = (altered[20] ?? 0) ^ 1;
      for (const [purpose, bytes] of [
        ['other', wrapped],
        ['master-key', altered],
        ['master-key', wrapped.slice(0, 30)],
      ] as const)
        expect(await failureOf(wrapper.unwrap(purpose, bytes))).toContain(
          'refused: the token "evidence" (PKCS#11): what is wrapped is not of this key',
        );
      expect(await wrapper.unwrap('master-key', wrapped)).toEqual(SECRET);
      expect(await failureOf(token.wrapperOf('absent').unwrap('master-key', wrapped))).toContain(
        'it has no key "absent"',
      );
    }));

  it('cannot be taken out of it, as a foreign tool sees it', async () => {
    await withToken((token) => token.wrapperOf('staying').wrap('master-key', SECRET));
    const listed = await hsm.tool('--list-objects', '--type', 'secrkey', '--label', 'staying');
    expect(listed).toMatch(/Access:\s+sensitive, always sensitive, never extract/);
  });
});
