import * as z from 'zod';
import { consoleSignInWays, ServiceError } from '@answer-evidence/contracts';
import type { Workspace } from '@answer-evidence/ports';
import { defineRoute, type Route, type RouteReply } from '@answer-evidence/routes';
import type { ConsoleSessionDeps, SignInProvider } from '../../console/deps.ts';
import { openSession } from '../../console/open-session.ts';
import { beginAttempt, findAttempt } from '../../console/sign-in-attempt.ts';
import { linkBaseOf } from '../../deps.ts';
import { findLoginWorkspace } from '../../login/find-workspace.ts';
import type { SignedIn } from '../../login/verify-login.ts';
import { findCredential } from '../../members/credentials.ts';
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
      withPages(deps, request, async ({ provider, workspace: slug, onRefused }) => {
        const attempt = findAttempt(request.header('cookie'));
        if (attempt === undefined) {
          onRefused('not_begun_in_this_browser');
          return refuse('attempt', request);
        }
        const returned = new URL(callbackUrl(deps));
        for (const [name, value] of Object.entries(request.query))
          if (typeof value === 'string') returned.searchParams.set(name, value);
        const { name, isVerifiedAddress } = await provider.finish(attempt.checks, returned);
        const workspace = await findLoginWorkspace(deps, request.header('host'), slug);
        // Names of members have no capitals. Where they are no addresses, capitals may tell two people apart.
        const member = isVerifiedAddress ? foldCapitals(name) : name;
        const proven = await findUsable(deps, workspace, member);
        if (typeof proven === 'string') {
          onRefused(proven);
          return refuse('member', request);
        }
        const { headers = {} } = await openSession(deps, request.header('cookie'), proven);
        // A redirect would still belong to the navigation from the provider's site, without the `Strict` cookie.
        const body = leadOnPage((deps.basePath ?? '') + attempt.next, request.header('accept-language'));
        return { status: 200, headers, contentType: HTML, body };
      }),
  });
}

const PAGES = {
  401: { description: 'A page: this sign-in is not confirmed, or nobody began it here', contentType: 'text/html' },
  403: { description: 'A page: no active member has the name', contentType: 'text/html' },
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

const STATUS: Readonly<Record<Refusal, number>> = { attempt: 401, provider: 401, member: 403, unavailable: 503 };

function refuse(why: Refusal, request: Request): RouteReply {
  const body = refusalPage(why, request.header('accept-language'));
  return { status: STATUS[why], contentType: HTML, body };
}

/** Capitals of ASCII alone: other letters that fold to it, such as the Kelvin sign to `k`, are another mailbox. */
function foldCapitals(address: string): string {
  return address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Why somebody whom the provider vouches for is not signed in. */
type MemberRefusal = 'no_such_workspace' | 'no_such_member' | 'member_disabled' | 'no_password_set_yet';

/** A member who may sign in, with the entry of their password; or why there is none. */
async function findUsable(
  deps: Deps,
  workspace: Workspace | undefined,
  name: string,
): Promise<SignedIn | MemberRefusal> {
  if (workspace === undefined) return 'no_such_workspace';
  const stored = await deps.members.findByName(workspace.id, name);
  if (stored === undefined || stored.row.removed_at !== null) return 'no_such_member';
  if (stored.row.disabled_at !== null) return 'member_disabled';
  const credential = findCredential(workspace, stored);
  // A link that nobody has used may be in the wrong hands; setting a password by it shows that it is not.
  if (credential === undefined || credential.password_hash === null) return 'no_password_set_yet';
  return { workspace, member: stored.row, credentialEntryId: credential.entry_id };
}

function callbackUrl(deps: Deps): string {
  const slug = deps.signInProvider?.workspace ?? '';
  return linkBaseOf(deps, { slug }) + CALLBACK;
}
