import { describe, expect, it } from '@jest/globals';
import { LogKeyError, type LogKeyService } from './log-key-service.ts';
import { guardOutsideKeys } from './outside-keys.ts';

const KEY = { reference: 'hsm:1', publicKey: new Uint8Array(32).fill(1) };
const SIGNATURE = new Uint8Array(64).fill(2);

/** A service that counts what it signs, and fails while it is told to. */
function createService() {
  const state = { asked: 0, signature: SIGNATURE, failure: undefined as Error | undefined };
  const service: LogKeyService = {
    name: 'the HSM',
    createKey: () => Promise.resolve({ ...KEY, reference: '1' }),
    publicKeyOf: () => Promise.resolve(KEY.publicKey),
    async sign() {
      state.asked += 1;
      if (state.failure !== undefined) throw state.failure;
      return Promise.resolve(state.signature);
    },
    close: () => Promise.resolve(),
  };
  const keys = guardOutsideKeys({
    serviceOf: (kind) => (kind === 'hsm' ? service : undefined),
    newIn: 'hsm',
    verify: (_key, _message, signature) => signature[0] === 2,
  });
  return { state, keys };
}

describe('the guard of keys outside of the process', () => {
  it('has one text signed once, also for those who ask at the same time', async () => {
    const { state, keys } = createService();
    const signer = keys.signerOf(KEY);
    const all = await Promise.all([signer.sign('a'), signer.sign('a'), keys.signerOf(KEY).sign('a')]);
    expect(all).toEqual([SIGNATURE, SIGNATURE, SIGNATURE]);
    expect(state.asked).toBe(1);
    await signer.sign('b');
    await signer.sign('a');
    expect(state.asked).toBe(2);
  });

  it('keeps the newest two thousand signatures, and has older texts signed again', async () => {
    const { state, keys } = createService();
    const signer = keys.signerOf(KEY);
    for (let n = 0; n <= 2_000; n++) await signer.sign(`text ${n}`);
    await signer.sign('text 2000');
    expect(state.asked).toBe(2_001);
    await signer.sign('text 0');
    expect(state.asked).toBe(2_002);
  });

  it('keeps no failure and no signature that does not verify', async () => {
    const { state, keys } = createService();
    const signer = keys.signerOf(KEY);
    state.failure = new LogKeyError('away', 'gone');
    await expect(signer.sign('a')).rejects.toThrow('gone');
    state.failure = undefined;
    state.signature = new Uint8Array(64);
    await expect(signer.sign('a')).rejects.toThrow('gave a signature that is not of the log');
    state.signature = SIGNATURE;
    expect(await signer.sign('a')).toEqual(SIGNATURE);
    expect(state.asked).toBe(3);
  });

  it('gives a log no key that cannot sign', async () => {
    const { state, keys } = createService();
    expect(await keys.create('a log')).toEqual(KEY);
    state.signature = new Uint8Array(64);
    await expect(keys.create('a log')).rejects.toThrow(LogKeyError);
  });

  it('says which settings a key needs whose service is not set up', async () => {
    const { keys } = createService();
    const signer = keys.signerOf({ ...KEY, reference: 'pkcs11:0a' });
    await expect(signer.sign('a')).rejects.toThrow('set PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN_FILE');
  });
});
