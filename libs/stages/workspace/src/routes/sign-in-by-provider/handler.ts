import * as z from 'zod';
import { consoleSignInWays, type ProviderLink, ServiceError } from '@answer-evidence/contracts';
import { defineRoute, type Route, type RouteReply } from '@answer-evidence/routes';
import type { ConsoleSessionDeps, SignInProvider } from '../../console/deps.ts';
import { openSession } from '../../console/open-session.ts';
import { beginAttempt, findAttempt } from '../../console/sign-in-attempt.ts';
import { linkBaseOf } from '../../deps.ts';
import { findGroupedMember } from '../../login/find-grouped-member.ts';
import { findLoginWorkspace } from '../../login/find-workspace.ts';
import { leadOnPage, type Refusal, refusalPage } from './pages.ts';

const SECRET_BYTES = 32;
const BEGIN = '/console/sign-in/provider';
const CALLBACK = '/console/sign-in/callback';
const HTML = 'text/html; charset=utf-8';

type Deps = ConsoleSessionDeps;

/** `GET /console/sign-in`: which ways to sign in there are. */
export function showSignInWaysRoute(deps: Pick<Deps, 'signInProvider'>): Route {
  return defineRoute({
    method: 'GET',
    path: '/console/sign-in',
    operationId: 'showSignInWays',
    summary: 'Say by which ways people sign in',
    access: 'public',
    crossOrigin: false,
    responses: { 200: { description: 'The ways', schema: consoleSignInWays } },
    handle: () => Promise.resolve({ status: 200, body: { provider: deps.signInProvider !== undefined } }),
  });
}

/** `GET /console/sign-in/provider`: sends a browser to the OpenID provider. */
export function beginProviderSignInRoute(deps: Deps): Route {
  return defineRoute({
    method: 'GET',
    path: BEGIN,
    operationId: 'beginProviderSignIn',
    summary: 'Send a browser to the OpenID provider',
    // What follows at the callback is counted as a login; people of one office would otherwise pay twice.
    access: 'public',
    crossOrigin: false,
    query: z.looseObject({ next: z.string().optional() }),
    responses: {
      303: {
        description: 'The OpenID provider',
        headers: { Location: 'Where to sign in', 'Set-Cookie': 'What ties the attempt to this browser' },
      },
      ...PAGES,
    },
    handle: (request) =>
      withPages(deps, request, async ({ provider }) => {
        const { checks, cookie } = beginAttempt(deps.random.bytes(SECRET_BYTES), request.query.next);
        const address = await provider.begin(checks, callbackUrl(deps));
        return { status: 303, headers: { Location: address, 'Set-Cookie': cookie } };
      }),
  });
}

/** `GET /console/sign-in/callback`: signs a browser in that comes back from the OpenID provider. */
export function endProviderSignInRoute(deps: Deps): Route {
  return defineRoute({
    method: 'GET',
    path: CALLBACK,
    operationId: 'endProviderSignIn',
    summary: 'Sign a browser in that comes back from the OpenID provider',
    access: 'public',
    rateLimit: 'login',
    crossOrigin: false,
    query: z.looseObject({}),
    responses: {
      200: {
        description: 'A page that leads on to the console',
        contentType: 'text/html',
        headers: { 'Set-Cookie': 'The secret of the session, which no script of a page can read' },
      },
      ...PAGES,
    },
    handle: (request) =>
      withPages(deps, request, async (configured) => {
        const attempt = findAttempt(request.header('cookie'));
        if (attempt === undefined) {
          configured.onRefused('not_begun_in_this_browser');
          return refuse('attempt', request);
        }
        const returned = new URL(callbackUrl(deps));
        for (const [name, value] of Object.entries(request.query))
          if (typeof value === 'string') returned.searchParams.set(name, value);
        const identity = await configured.provider.finish(attempt.checks, returned);
        const workspace = await findLoginWorkspace(deps, request.header('host'), configured.workspace);
        const proven = await findGroupedMember(deps, workspace, identity, configured);
        if ('refusal' in proven) {
          if (proven.reason !== undefined) configured.onRefused(proven.reason);
          return refuse(proven.refusal, request, identity);
        }
        const { headers = {} } = await openSession(deps, request.header('cookie'), proven);
        // A redirect would still belong to the navigation from the provider's site, without the `Strict` cookie.
        const body = leadOnPage((deps.basePath ?? '') + attempt.next, request.header('accept-language'));
        return { status: 200, headers, contentType: HTML, body };
      }),
  });
}

const PAGES = {
  401: {
    description: 'A page: this sign-in is not confirmed or names nobody, or nobody began it here',
    contentType: 'text/html',
  },
  403: {
    description: 'A page: nobody is linked to the subject and no active member has the name, or groups give no role',
    contentType: 'text/html',
  },
  404: { description: 'No provider is configured' },
  409: { description: 'The workspace has as many live tokens as it may have' },
  503: { description: 'A page: the provider is unavailable', contentType: 'text/html' },
} as const;

type Request = { header(name: string): string | undefined };

/** A browser that follows a link is shown a page, and not a problem in JSON. */
async function withPages(
  { signInProvider }: Pick<Deps, 'signInProvider'>,
  request: Request,
  handle: (configured: SignInProvider) => Promise<RouteReply>,
): Promise<RouteReply> {
  if (signInProvider === undefined)
    throw new ServiceError('not_found', 'no OpenID provider is configured; sign in with a password at /console/');
  try {
    return await handle(signInProvider);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'login_failed') return refuse('provider', request);
    if (error.code === 'overloaded') return refuse('unavailable', request);
    throw error;
  }
}

const STATUS: Readonly<Record<Refusal, number>> = {
  attempt: 401,
  provider: 401,
  name: 401,
  member: 403,
  groups: 403,
  left: 403,
  unavailable: 503,
};

/** People who are known to the provider see who they are there, so that a manager can link them. */
function refuse(why: Refusal, request: Request, identity?: ProviderLink): RouteReply {
  const body = refusalPage(why, request.header('accept-language'), identity);
  return { status: STATUS[why], contentType: HTML, body };
}

function callbackUrl(deps: Deps): string {
  const slug = deps.signInProvider?.workspace ?? '';
  return linkBaseOf(deps, { slug }) + CALLBACK;
}
