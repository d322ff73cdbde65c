import type { Route } from '@answer-evidence/routes';
import { createWorkspaceStage, type WorkspaceDeps } from '@answer-evidence/stage-workspace';
import { baseUrlOf, workspaceUrl } from '../addresses.ts';
import type { OpenedStage, StageContext } from './stage-context.ts';

/** Opens accounts, tokens and settings: with the password hasher of the process. */
export async function openWorkspace({ config, stores, addresses, signingIn }: StageContext): Promise<OpenedStage> {
  const stage = createWorkspaceStage({
    ...stores,
    membersMax: config.SERVICE_MEMBERS_MAX,
    tokensMax: config.SERVICE_TOKENS_MAX,
    ...signingIn(),
    ...(config.SERVICE_OIDC_ISSUER === undefined ? {} : { signInIssuer: config.SERVICE_OIDC_ISSUER }),
    linkUrl: (slug) => workspaceUrl(baseUrlOf(config), slug),
    ...addresses,
  });
  return Promise.resolve({ stage });
}

/** Building the stage uses nothing of what it is given; only its handlers do. */
export function describeWorkspace(): readonly Route[] {
  return createWorkspaceStage({} as WorkspaceDeps).routes;
}
