import type { Quirks } from './dialect.ts';
import { DIALECTS } from './order.ts';

const given = DIALECTS.flatMap(({ quirks = [] }) => quirks).flatMap(({ scopes, ...quirks }) => {
  return scopes.map((scope) => [scope, quirks] as const);
});

const byName: ReadonlyMap<string, Quirks> = new Map(
  [...Map.groupBy(given, ([scope]) => scope)]
    .filter(([scope]) => !scope.endsWith('*'))
    .map(([scope, of]) => [scope, Object.assign({}, ...of.map(([, quirks]) => quirks)) as Quirks] as const),
);
const byBeginning = given.flatMap(([scope, quirks]) =>
  scope.endsWith('*') ? [[scope.slice(0, -1), quirks] as const] : [],
);

const NONE: Quirks = {};

/** What is special in what an instrumentation writes, by its name; nothing of nearly all. */
export function quirksOf(scopeName: string): Quirks {
  const named = byName.get(scopeName) ?? NONE;
  const begun = byBeginning.find(([beginning]) => scopeName.startsWith(beginning));
  return begun === undefined ? named : { ...begun[1], ...named };
}
