import type { LoginThrottle, PasswordHasher } from '@answer-evidence/ports';

/** A quick, readable hasher that remembers what it was asked to verify: the hash, or undefined for nobody's. */
export type FakePasswordHasher = PasswordHasher & { readonly verified: readonly (string | undefined)[] };

/** Makes a hasher whose hashes are good for one password each and are equal for equal passwords. */
export function createFakePasswordHasher(): FakePasswordHasher {
  const verified: (string | undefined)[] = [];
  return {
    verified,
    hash: (password) => Promise.resolve(`fake:${password}`),
    verify(hash, password) {
      verified.push(hash);
      return Promise.resolve(hash === `fake:${password}`);
    },
  };
}

/** A throttle that holds nobody back and remembers what it was told, in order. */
export type FakeLoginThrottle = LoginThrottle & { readonly told: readonly string[] };

/** Makes a throttle without limits. */
export function createFakeLoginThrottle(): FakeLoginThrottle {
  const told: string[] = [];
  return {
    told,
    begin(account, clientKey) {
      const named = `${account.replace('\n', ' ')} from ${clientKey}`;
      told.push(named);
      const tell = (what: string) => {
        told.push(`${named}: ${what}`);
        return Promise.resolve();
      };
      return Promise.resolve({
        rank: 'first',
        succeed: () => tell('right'),
        withdraw: () => tell('not verified'),
      });
    },
  };
}
