import { hash, type Options, verify } from '@node-rs/argon2';
import { ServiceError } from '@answer-evidence/contracts';
import type { LoginRank, PasswordHasher } from '@answer-evidence/ports';
import { createGate } from './gate.ts';

/** OWASP's first choice for argon2id, which is the library's default algorithm: 19 MiB, two passes, one lane. */
const PARAMETERS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** Each takes 19 MiB and a thread of the pool that files and name look-ups need too. */
const RUNNING_MAX = 2;
/** At about 40 ms each, the last one waits for about two seconds. */
const WAITING_MAX = 100;
/** How long somebody who is turned away should wait: by then those who wait are done. */
const RETRY_AFTER_SECONDS = 5;
/** Who goes first. Setting a password needs a link, which nobody guesses, so it goes with those who are known. */
const RANKS: Readonly<Record<LoginRank, number>> = { known: 0, first: 1, other: 2 };

/** Made with the same parameters from random bytes that were not kept: nobody knows a password for it. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$mqnimLgyexQwVugy8KqEsA$hx31XgDfPWR7fviUUejnlSWfytjG+G/zgkUb9/M3XLU';

/** argon2id (RFC 9106) by a native binding, two at once, by rank. `library` stands in for the binding in tests. */
export function createArgon2Hasher(
  library: { readonly hash: typeof hash; readonly verify: typeof verify } = { hash, verify },
): PasswordHasher {
  const enter = createGate({
    runningMax: RUNNING_MAX,
    waitingMax: WAITING_MAX,
    full: () =>
      new ServiceError('overloaded', 'too many logins at once; retry the same request', {
        remedy: 'retry',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }),
  });
  return {
    hash: (password) => enter(RANKS.known, () => library.hash(password, PARAMETERS)),
    async verify(stored, password, rank) {
      const isRight = await enter(RANKS[rank], () => library.verify(stored ?? NOBODYS_HASH, password));
      return stored !== undefined && isRight;
    },
  };
}
