import { createArgon2Hasher } from '@answer-evidence/argon2';
import { createLoginTryStore } from '@answer-evidence/postgres';
import { createLoginThrottle, type WorkspaceDeps } from '@answer-evidence/stage-workspace';
import type { Stores } from '../../open/open-stores.ts';

/** What verifies passwords, and holds back anyone who tries them. */
export type SigningIn = Pick<WorkspaceDeps, 'passwords' | 'loginThrottle'>;

/** Made when the first stage asks, and the same for all of a process: few passwords are hashed at once. */
export function createSigningIn(stores: Pick<Stores, 'clock' | 'pool' | 'vault'>): () => SigningIn {
  let made: SigningIn | undefined;
  return () =>
    (made ??= {
      passwords: createArgon2Hasher(),
      loginThrottle: createLoginThrottle({
        clock: stores.clock,
        tries: createLoginTryStore(stores.pool),
        keyOf: (kind, ...parts) => stores.vault.mac('login_tries', [kind, ...parts]),
      }),
    });
}
