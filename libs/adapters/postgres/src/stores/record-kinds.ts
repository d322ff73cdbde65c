import { isWithin, NO_LIMITS, type RecordFilters, type Within } from '@answer-evidence/contracts';
import type { Query } from '../session.ts';

/** Kinds of records, column by column: what application, environment and mode (`''`: none) they have. */
export type Kinds = {
  readonly applications: readonly string[];
  readonly environments: readonly string[];
  readonly modes: readonly string[];
};

/** With more kinds than this, each is hardly worth a search of its own. */
const KINDS_MAX = 1_000;

/** What `r` has in each column of its kind, as the index of kinds says it, or the one of kinds of an actor. */
export const APPLICATION = `case when r.application_key = '' then '' else r.application_key end`;
const APPLICATION_OF_ACTOR = `case when r.application_key <> '' then r.application_key else '' end`;
export const MODE = `case when r.mode is null then '' else r.mode end`;

/** The columns of a kind in the order of the index that these filters go by. */
export function kindColumns(filters: RecordFilters) {
  return [
    ['application_key', filters.actor_id_hash === undefined ? APPLICATION : APPLICATION_OF_ACTOR],
    ['environment', 'r.environment'],
    ['mode', MODE],
  ] as const;
}

/**
 * The kinds of records that a workspace has and that filters let through, also those of a single actor; undefined when
 * there are very many. One that the filters name whole is not looked for. Else they are found level by level: each
 * search of the index leads to the next value, past all records of the one before.
 */
export async function readKinds(
  query: Query,
  workspaceId: string,
  filters: RecordFilters & Within,
): Promise<Kinds | undefined> {
  const { application_key: application, environment, mode } = filters;
  if (application !== undefined && environment !== undefined && mode !== undefined)
    return { applications: [application], environments: [environment], modes: [mode] };
  const values: unknown[] = [workspaceId];
  const parameter = (value: unknown) => `$${values.push(value)}::text`;
  const prefix = [
    'r.workspace_id = $1',
    ...(filters.actor_id_hash === undefined ? [] : [`r.actor_id_hash = ${parameter(filters.actor_id_hash)}`]),
  ];
  const levels = kindColumns(filters);
  const parts = levels.map(([name, sql], n) => {
    const [above, own, known] = [`level_${n - 1}`, `level_${n}`, levels.slice(0, n)];
    const from = n === 0 ? '(select) above' : `${above} above`;
    const keep = (outer: string, found: string) => [...known.map(([column]) => `${outer}.${column}`), found].join(', ');
    if (filters[name] !== undefined)
      return `${own} as (select ${keep('above', `${parameter(filters[name])} as ${name}`)} from ${from})`;
    const next = (outer: string, more: readonly string[]) => {
      const same = known.map(([column, expression]) => `${expression} = ${outer}.${column}`);
      return `(select ${sql} as ${name} from answer_evidence.answer_records r
        where ${[...prefix, ...same, ...more].join(' and ')} order by ${sql} limit 1) found`;
    };
    return `${own} as (
      select ${keep('above', `found.${name}`)} from ${from} cross join lateral ${next('above', [])}
      union all
      select ${keep('before', `found.${name}`)}
        from ${own} before cross join lateral ${next('before', [`${sql} > before.${name}`])})`;
  });
  const kinds = await query<{ application_key: string; environment: string; mode: string }>(
    '',
    `with recursive ${parts.join(', ')}
      select application_key, environment, mode from level_${levels.length - 1} limit ${KINDS_MAX + 1}`,
    values,
  );
  if (kinds.length > KINDS_MAX) return undefined;
  const left = kinds.filter((kind) => isWithin(filters.within ?? NO_LIMITS, kind));
  return {
    applications: left.map((kind) => kind.application_key),
    environments: left.map((kind) => kind.environment),
    modes: left.map((kind) => kind.mode),
  };
}
