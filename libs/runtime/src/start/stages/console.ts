import { openIdentityProvider } from '@answer-evidence/openid-connect';
import { createConsoleSessionStore } from '@answer-evidence/postgres';
import type { Route } from '@answer-evidence/routes';
import {
  admitBrowser,
  type ConsoleDeps,
  createConsoleStage,
  type SignInProvider,
} from '@answer-evidence/stage-workspace';
import { basePathOf, baseUrlOf, workspaceUrl } from '../../ground/addresses.ts';
import type { Config } from '../../ground/config.ts';
import { parseGroupRules } from '../../ground/group-rules.ts';
import type { Report } from '../../ground/report.ts';
import { listDocsFiles, readConsoleFiles } from '../page-files.ts';
import type { OpenedStage, StageContext } from './stage-context.ts';

/** Opens the console: with its built pages, which may be missing. */
export async function openConsole({
  config,
  stores,
  addresses,
  signingIn,
  report,
  on,
}: StageContext): Promise<OpenedStage> {
  const signInProvider = openProvider(config, report, on);
  const deps: ConsoleDeps = {
    ...stores,
    membersMax: config.SERVICE_MEMBERS_MAX,
    tokensMax: config.SERVICE_TOKENS_MAX,
    ...signingIn(),
    linkUrl: (slug) => workspaceUrl(baseUrlOf(config), slug),
    ...addresses,
    consoleSessions: createConsoleSessionStore(stores.pool),
    sessionLife: { seconds: config.SERVICE_SESSION_SECONDS, idleSeconds: config.SERVICE_SESSION_IDLE_SECONDS },
    asynchronousStandbys: () => stores.standbys.asynchronous,
    consoleFiles: await readConsoleFiles(config.SERVICE_CONSOLE_DIR),
    docsFiles: await listDocsFiles(config.SERVICE_DOCS_DIR),
    basePath: basePathOf(config),
    ...(signInProvider === undefined ? {} : { signInProvider }),
  };
  const upstream = config.SERVICE_CONSOLE_UPSTREAM;
  return {
    stage: createConsoleStage(deps),
    console: {
      admit: (request) => admitBrowser(deps, request),
      ...(upstream === undefined ? {} : { upstream: new URL(upstream) }),
    },
  };
}

const KEPT =
  'a person whose groups at the OpenID provider give another role, or none, stays a manager: nobody else could act as ' +
  'one; let another manager sign in or set a password';

/** The service starts while the provider is unavailable: the next sign-in asks it again. */
function openProvider(config: Config, onUnreachable: Report, on: StageContext['on']): SignInProvider | undefined {
  const {
    SERVICE_OIDC_ISSUER: issuer,
    SERVICE_OIDC_CLIENT_ID: clientId,
    SERVICE_OIDC_CLIENT_SECRET: firstSecret,
    SERVICE_OIDC_WORKSPACE: workspace,
    SERVICE_OIDC_CLAIM: claim,
    SERVICE_OIDC_LINK: link,
    SERVICE_OIDC_GROUPS: groups,
    SERVICE_OIDC_GROUPS_CLAIM: groupsClaim,
  } = config;
  if (issuer === undefined || clientId === undefined || firstSecret === undefined || workspace === undefined)
    return undefined;
  const clientSecret = () => config.SERVICE_OIDC_CLIENT_SECRET ?? firstSecret;
  const onRefused = on.signInRefused ?? (() => undefined);
  const onNotice = on.notice ?? (() => undefined);
  const reports = { onUnreachable, onRefused, onKeysChanged: onNotice };
  const rules = groups === undefined ? undefined : parseGroupRules(groups);
  const ofGroups = rules === undefined ? {} : { groupsClaim };
  const provider = openIdentityProvider({ issuer, clientId, clientSecret, claim, ...ofGroups }, reports);
  void provider.describe();
  return {
    ...{ provider, workspace, onRefused, linksFirst: link === 'first-sign-in' },
    ...(rules === undefined ? {} : { groups: { rules, onKept: () => onNotice(KEPT) } }),
  };
}

/** Building the stage uses nothing of what it is given; only its handlers do. */
export function describeConsole(): readonly Route[] {
  return createConsoleStage({} as ConsoleDeps).routes;
}
