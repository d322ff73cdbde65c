import type { Command } from 'commander';
import { type Limits, MEMBER_ROLES, type MemberAccess, type WantedAccess } from '@answer-evidence/contracts';

/** What of a role is chosen on the command line besides its name. */
export type LimitOptions = { readonly application?: string[]; readonly environment?: string[] };

/** Adds the options by which a role is limited. */
export function addLimitOptions(command: Command): Command {
  const more = (one: string, before: string[] = []) => [...before, one];
  return command
    .option('--application <key>', 'only this application; repeat it for more (default: all)', more)
    .option('--environment <name>', 'only this environment; repeat it for more (default: all)', more);
}

/** The role and its limits as a request has them: in the words of every release where these say it. */
export function readAccess(
  role: string,
  { application = [], environment = [] }: LimitOptions,
): { readonly role: string } | { readonly access: Readonly<Record<keyof WantedAccess, unknown>> } {
  const isPlain = (role === 'manager' || role === 'member') && application.length + environment.length === 0;
  if (isPlain) return { role };
  const listed = (names: readonly string[]) => (names.length === 0 ? null : names);
  return { access: { role, applications: listed(application), environments: listed(environment) } };
}

/** The roles that there are. */
export const ROLES: readonly string[] = MEMBER_ROLES;

/** What somebody may do, in a word; services of an earlier release say only `role`. */
export function roleText({
  role,
  access,
}: {
  readonly role: string | null;
  readonly access?: MemberAccess | undefined;
}) {
  return access?.role ?? role;
}

const SOURCES: Readonly<Record<string, string>> = {
  provider: 'follows the groups at the provider',
  provider_left: 'taken: in no group of the table any more',
  provider_kept: 'kept: is the last manager',
};

/** Why somebody has their role, where groups at an OpenID provider decide; null: a manager gave it. */
export function sourceText(source: string | null | undefined): string | null {
  return source === null || source === undefined ? null : (SOURCES[source] ?? source);
}

/** Where somebody may act, in words; null: everywhere. */
export function limitsText(access: Limits | undefined): string | null {
  const { applications, environments } = access ?? { applications: null, environments: null };
  const parts = [applications, environments].flatMap((names) => (names === null ? [] : [names.join(', ')]));
  return parts.length === 0 ? null : parts.join('; ');
}
