import { describeStage, parseConfig, type StageName } from '@answer-evidence/runtime';
import { type Role, ROLE_NAMES, ROLES } from '@answer-evidence/runtime/roles';

/** The roles among which the paths of one host are divided. */
export type SplitRole = Exclude<Role, 'all-in-one'>;

/** All paths of a template, and everything below them, go to a process of this role; a parameter is any one segment. */
type RoutingRule = { readonly path: string; readonly role: SplitRole };

/** Which process serves which path: that of the first rule that matches, else that of `otherwise`. */
export type RoutingTable = { readonly rules: readonly RoutingRule[]; readonly otherwise: SplitRole };

/** A described path, and the role whose process serves it. */
export type OwnedPath = { readonly path: string; readonly role: SplitRole };

/** The roles of the split form. */
export const SPLIT_ROLES = ROLE_NAMES.filter((role): role is SplitRole => role !== 'all-in-one');

/** The role that gets what every process serves, and what none does. */
const OTHERWISE: SplitRole = 'ingest-api';

/** Every path that a stage serves, with the role that runs the stage. */
export function ownedPaths(): readonly OwnedPath[] {
  const config = parseConfig({});
  return SPLIT_ROLES.flatMap((role) =>
    ROLES[role].flatMap((stage: StageName) => describeStage(stage, config).map(({ path }) => ({ path, role }))),
  );
}

/** The fewest rules that send every path to its role. Throws where a path has another role than what is below it. */
export function createRoutingTable(owned: readonly OwnedPath[]): RoutingTable {
  return { rules: rulesBelow('', owned), otherwise: OTHERWISE };
}

/** The role of a requested path, without its query. */
export function findRole(table: RoutingTable, path: string): SplitRole {
  return table.rules.find((rule) => new RegExp(patternOf(rule)).test(path))?.role ?? table.otherwise;
}

/** A regular expression for whole paths, in the words that PCRE, RE2 and JavaScript have in common. */
export function patternOf({ path }: RoutingRule): string {
  return `^${path.replaceAll(/\{[^}]*\}/g, '[^/]+')}(/.*)?$`;
}

function rulesBelow(prefix: string, owned: readonly OwnedPath[]): readonly RoutingRule[] {
  const [role, ...others] = new Set(owned.map((one) => one.role));
  if (role === undefined) return [];
  if (others.length === 0) return role === OTHERWISE ? [] : [{ path: prefix, role }];
  const own = owned.find(({ path }) => path === prefix);
  if (own !== undefined && own.role !== OTHERWISE)
    throw new Error(`${prefix} is served by ${own.role}, but not everything below it is; no rule can say that`);
  const below = Map.groupBy(
    owned.filter(({ path }) => path !== prefix),
    ({ path }) => path.slice(prefix.length).split('/')[1] ?? '',
  );
  return [...below]
    .toSorted(([a], [b]) => Number(a.startsWith('{')) - Number(b.startsWith('{')))
    .flatMap(([segment, ownedBelow]) => rulesBelow(`${prefix}/${segment}`, ownedBelow));
}
