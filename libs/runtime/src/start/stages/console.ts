import { createConsoleSessionStore } from '@answer-evidence/postgres';
import type { Route } from '@answer-evidence/routes';
import { admitBrowser, type ConsoleDeps, createConsoleStage } from '@answer-evidence/stage-workspace';
import { basePathOf, baseUrlOf, workspaceUrl } from '../addresses.ts';
import { readConsoleFiles } from '../read-console-files.ts';
import type { OpenedStage, StageContext } from './stage-context.ts';

/** Opens the console: with its built pages, which may be missing. */
export async function openConsole({ config, stores, addresses, signingIn }: StageContext): Promise<OpenedStage> {
  const deps: ConsoleDeps = {
    ...stores,
    membersMax: config.SERVICE_MEMBERS_MAX,
    tokensMax: config.SERVICE_TOKENS_MAX,
    ...signingIn(),
    linkUrl: (slug) => workspaceUrl(baseUrlOf(config), slug),
    ...addresses,
    consoleSessions: createConsoleSessionStore(stores.pool),
    consoleFiles: await readConsoleFiles(config.SERVICE_CONSOLE_DIR),
    basePath: basePathOf(config),
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

/** Building the stage uses nothing of what it is given; only its handlers do. */
export function describeConsole(): readonly Route[] {
  return createConsoleStage({} as ConsoleDeps).routes;
}
