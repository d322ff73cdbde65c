import type { Dialect } from './dialect.ts';
import { DIALECTS } from './order.ts';

/** What all dialects say of something, in their order. */
export function all<T>(of: (dialect: Dialect) => readonly T[] | undefined): readonly T[] {
  return DIALECTS.flatMap((dialect) => of(dialect) ?? []);
}

/** The same of what a dialect says once, if at all. */
export function each<T>(of: (dialect: Dialect) => T | undefined): readonly T[] {
  return DIALECTS.map(of).filter((said) => said !== undefined);
}

/** Those that come last behind the others. */
export function lastBehind<T extends { readonly isLast?: true }>(rules: readonly T[]): readonly T[] {
  return [...rules.filter(({ isLast = false }) => !isLast), ...rules.filter(({ isLast = false }) => isLast)];
}
