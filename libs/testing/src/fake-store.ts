import type { FoundPage } from '@answer-evidence/ports';
import { FakeDatabase } from './fake-database.ts';

/** A store's methods over the tables of one workspace, without its id, and mostly at once. */
export type OfWorkspace<Store> = {
  readonly [Name in keyof Store]: Store[Name] extends (workspaceId: string, ...rest: infer Rest) => Promise<infer Found>
    ? (...rest: Rest) => Found | Promise<Found>
    : never;
};

/** A store of one workspace in memory. Of any other workspace it has tables of its own, which begin empty. */
export function createFakeStore<Store extends object>(
  database: FakeDatabase,
  workspaceId: string,
  over: (database: FakeDatabase) => OfWorkspace<Store>,
): Store {
  type Methods = Readonly<Record<string, (...rest: readonly unknown[]) => unknown>>;
  const here = over(database) as Methods;
  const elsewhere = over(new FakeDatabase()) as Methods;
  const methods = Object.keys(here).map((name) => [
    name,
    (asked: string, ...rest: readonly unknown[]) =>
      // What is thrown at once rejects.
      new Promise((resolve) => resolve((asked === workspaceId ? here : elsewhere)[name]?.(...rest))),
  ]);
  return Object.fromEntries(methods) as Store;
}

/** A page of what matches in memory, with the exact total. */
export function findPage<T>(
  matching: readonly T[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
  isAfter: (item: T) => boolean = () => true,
): FoundPage<T> {
  const items = matching.filter(isAfter).slice(offset, offset + limit);
  return { items, total: matching.length, totalIsExact: true };
}
