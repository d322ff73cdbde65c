import { type HostDescription, hostDescription, SERVICE_VERSION } from '@answer-evidence/contracts';
import { defineRoute, type Route, type Stage } from '@answer-evidence/routes';
import { createConsoleSessionRoute } from '../routes/create-console-session/handler.ts';
import { decideDeviceLoginRoute, findDeviceLoginRoute } from '../routes/decide-device-login/handler.ts';
import { endConsoleSessionRoute, endConsoleSessionsRoute } from '../routes/end-console-session/handler.ts';
import {
  leadToConsoleRoutes,
  showConsolePageRoute,
  showConsoleStartRoute,
} from '../routes/show-console-page/handler.ts';
import { showConsoleSessionRoute } from '../routes/show-console-session/handler.ts';
import { showDocsRoutes } from '../routes/show-docs-page/handler.ts';
import {
  beginProviderSignInRoute,
  endProviderSignInRoute,
  showSignInWaysRoute,
} from '../routes/sign-in-by-provider/handler.ts';
import { useConsoleLinkRoute } from '../routes/use-console-link/handler.ts';
import type { ConsoleDeps } from './deps.ts';

/**
 * The pages of the console, the sessions of their browsers, and the pages of the documentation. Its routes are for
 * these pages alone: the description of the API does not have them, and they may change with the pages.
 */
export function createConsoleStage(deps: ConsoleDeps): Stage {
  return {
    name: 'console',
    routes: [
      createConsoleSessionRoute(deps),
      useConsoleLinkRoute(deps),
      showConsoleSessionRoute(deps),
      endConsoleSessionRoute(deps),
      endConsoleSessionsRoute(deps),
      findDeviceLoginRoute(deps),
      decideDeviceLoginRoute(deps),
      showSignInWaysRoute(deps),
      beginProviderSignInRoute(deps),
      endProviderSignInRoute(deps),
      describeConsoleRoute(deps),
      showConsoleStartRoute(deps),
      showConsolePageRoute(deps),
      ...leadToConsoleRoutes(),
      ...showDocsRoutes(deps),
    ],
    tickers: [],
    consumers: [],
    schedules: [],
  };
}

/** `GET /console/.well-known/answer-evidence`: tells clients of the API not to send a token here. */
function describeConsoleRoute(deps: Pick<ConsoleDeps, 'workspaceOfHost'>): Route {
  return defineRoute({
    method: 'GET',
    path: '/console/.well-known/answer-evidence',
    operationId: 'describeConsole',
    summary: 'Say that this is the proxy of browsers',
    access: 'public',
    responses: { 200: { description: 'A proxy of browser sessions', schema: hostDescription } },
    async handle(request) {
      const workspace = await deps.workspaceOfHost?.(request.header('host'));
      const body: HostDescription = {
        kind: 'browser-session-proxy',
        version: SERVICE_VERSION,
        workspace: workspace === undefined ? null : { slug: workspace.slug, display_name: workspace.displayName },
      };
      return { status: 200, body };
    },
  });
}
