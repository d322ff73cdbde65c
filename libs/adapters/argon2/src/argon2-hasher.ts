import { hash, type Options, verify } from '@node-rs/argon2';
import { ServiceError } from '@answer-evidence/contracts';
import type { PasswordHasher } from '@answer-evidence/ports';
import { createGate } from './gate.ts';

/** OWASP's first choice for argon2id, which is the library's default algorithm: 19 MiB, two passes, one lane. */
const PARAMETERS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** Each takes 19 MiB and a thread of the pool that files and name look-ups need too. */
const RUNNING_MAX = 2;
/** At about 40 ms each, the last one waits for less than a second. */
const WAITING_MAX = 40;

/** Made with the same parameters from random bytes that were not kept: nobody knows a password for it. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$mqnimLgyexQwVugy8KqEsA$hx31XgDfPWR7fviUUejnlSWfytjG+G/zgkUb9/M3XLU';

/** argon2id (RFC 9106) by a native binding, at most two at once. `library` stands in for the binding in tests. */
export function createArgon2Hasher(
  library: { readonly hash: typeof hash; readonly verify: typeof verify } = { hash, verify },
): PasswordHasher {
  const enter = createGate({
    runningMax: RUNNING_MAX,
    waitingMax: WAITING_MAX,
    onFull: () => {
      throw new ServiceError('overloaded', 'too many logins at once; retry the same request', { remedy: 'retry' });
    },
  });
  return {
    hash: (password) => enter(() => library.hash(password, PARAMETERS)),
    async verify(stored, password) {
      const isRight = await enter(() => library.verify(stored ?? NOBODYS_HASH, password));
      return stored !== undefined && isRight;
    },
  };
}
