import { createArgon2Hasher } from '@answer-evidence/argon2';
import { createLoginTryStore } from '@answer-evidence/postgres';
import type { Route } from '@answer-evidence/routes';
import { createLoginThrottle, createWorkspaceStage, type WorkspaceDeps } from '@answer-evidence/stage-workspace';
import { baseUrlOf, workspaceUrl } from '../addresses.ts';
import type { OpenedStage, StageContext } from './stage-context.ts';

/** Opens accounts, tokens and settings: with the password hasher. */
export async function openWorkspace({ config, stores, addresses }: StageContext): Promise<OpenedStage> {
  const stage = createWorkspaceStage({
    ...stores,
    membersMax: config.SERVICE_MEMBERS_MAX,
    tokensMax: config.SERVICE_TOKENS_MAX,
    passwords: createArgon2Hasher(),
    loginThrottle: createLoginThrottle({
      clock: stores.clock,
      tries: createLoginTryStore(stores.pool),
      keyOf: (kind, ...parts) => stores.vault.mac('login_tries', [kind, ...parts]),
    }),
    linkUrl: (slug) => workspaceUrl(baseUrlOf(config), slug),
    ...addresses,
  });
  return Promise.resolve({ stage });
}

/** Building the stage uses nothing of what it is given; only its handlers do. */
export function describeWorkspace(): readonly Route[] {
  return createWorkspaceStage({} as WorkspaceDeps).routes;
}
