import type { Caller, UserCaller } from '@answer-evidence/access';
import { type Limits, MEMBER_ROLES, type Scope, scope, ServiceError } from '@answer-evidence/contracts';
import { ACCESS_MATRIX, limitOf, type Right } from '@answer-evidence/contracts/operations';
import type { Route } from '@answer-evidence/routes';
import { createRouteCaller } from './call-route.ts';
import { createFakeWorkspace } from './fake-workspace.ts';

/** What the paths of routes are filled with. */
const IN_PATHS: Readonly<Record<string, string>> = { workspace: 'acme', path: 'checkpoint' };
const NO_ID = '0199f3c2-0000-7000-8000-000000000001';

/**
 * Asks every route over the real edge without a token, in each role, everywhere and limited, and as an application with
 * each set of scopes, and returns what came otherwise than the access matrix says of the right it declares. No handler
 * runs: a request that is let in gets 503, or is refused for what is wrong with it. That the right is the one it should
 * be is held by the published API description, where a change of it is a break.
 */
export async function findWrongAccess(routes: readonly Route[]): Promise<readonly string[]> {
  const reach = () => Promise.reject(new ServiceError('overloaded', 'the handler was reached'));
  const call = createRouteCaller(
    routes.map((route) => ({
      ...route,
      handle: reach,
      ...(route.form === undefined ? {} : { handleForm: reach }),
    })),
  );
  const wrong: string[] = [];
  for (const { method, path: template, operationId, access } of routes) {
    const path = template.replace(/\{\+?(\w+)\}/g, (_, name: string) => IN_PATHS[name] ?? NO_ID);
    for (const [who, as] of callersOf()) {
      const { status, code, headers = {} } = await call(method, path, as === undefined ? {} : { as });
      const answer = `${status === 401 || status === 403 ? (code ?? '') : 'in'} ${headers['WWW-Authenticate'] ?? ''}`;
      const expected = `${expectedOf(operationId, access, as)} `;
      if (!answer.startsWith(expected) || isChallenged(expected) !== (headers['WWW-Authenticate'] !== undefined))
        wrong.push(`${operationId}, ${who}: ${answer.trim()}, not ${expected.trim()}`);
    }
  }
  return wrong;
}

function isChallenged(expected: string): boolean {
  return expected.startsWith('unauthenticated') || expected.startsWith('scope_missing');
}

/** The code of the refusal, or `in`. */
function expectedOf(operationId: string, right: Right | 'public', as: Caller | undefined): string {
  if (right === 'public') return 'in';
  if (as === undefined) return 'unauthenticated';
  const { application, people } = ACCESS_MATRIX[right];
  if (as.kind === 'user')
    return people.includes(as.role) && isWithinLimits(operationId, as) ? 'in' : 'role_not_allowed';
  if (application === null) return 'token_kind_not_allowed';
  return application === 'any' || as.scopes.includes(application) ? 'in' : 'scope_missing';
}

function isWithinLimits(operationId: string, { limits }: UserCaller): boolean {
  if (limits === undefined) return true;
  const decision = limitOf(operationId);
  return decision === 'own' || decision === 'none' || (decision === 'application' && limits.environments === null);
}

const LIMITS: readonly (readonly [string, Limits | undefined])[] = [
  ['everywhere', undefined],
  ['of one application', { applications: ['support-bot'], environments: null }],
  ['of one environment', { applications: null, environments: ['production'] }],
];

function callersOf(): readonly (readonly [string, Caller | undefined])[] {
  const { manager, application } = createFakeWorkspace();
  const sets = scope.options.reduce<readonly (readonly Scope[])[]>(
    (known, one) => [...known, ...known.map((set) => [...set, one])],
    [[]],
  );
  return [
    ['without a token', undefined],
    ...MEMBER_ROLES.flatMap((role) =>
      LIMITS.map(([where, limits]): readonly [string, Caller] => [
        `${role} ${where}`,
        { ...manager, role, ...(limits === undefined ? {} : { limits }) },
      ]),
    ),
    ...sets.map((scopes): readonly [string, Caller] => [
      `an application that may [${scopes.join(' ')}]`,
      { ...application, scopes },
    ]),
  ];
}
