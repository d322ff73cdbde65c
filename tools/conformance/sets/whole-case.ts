import type { Given } from '../../../conformance/run.mjs';
import { tilesOf, type World } from '../reseal.ts';

/** What the rules say of a case, without any verifier: the checks that fail, certain outcomes, or a refusal. */
export type Expected =
  | { readonly fails?: readonly string[]; readonly outcomes?: Readonly<Record<string, string>> }
  | { readonly refused: true };
/** A case of version 2 of the suite. */
export type WholeCase = { readonly id: string; readonly given: Given; readonly expected: Expected };

/** In the place of the checks that fail: a bundle that is not of its format. */
export const ALL = 'every check';

/** A bundle of the frozen artefacts by its name, with its log. */
export type Open = (name: string) => World;

/** Files that a verifier gets together, beside the trust file and, where it is given, the log. */
export function giveFiles(
  { trust, entries }: Pick<World, 'trust' | 'entries'>,
  files: Readonly<Record<string, string>>,
  withLog = false,
): Given {
  const log = withLog ? { log: tilesOf(entries) } : {};
  return { kind: 'files', files: { trust: JSON.stringify(trust), ...files }, ...log };
}

/** A bundle as a verifier gets it. */
export function give({ bundle, trust, entries }: World, withLog = false): Given {
  return {
    kind: 'bundle',
    files: { bundle: JSON.stringify(bundle), trust: JSON.stringify(trust) },
    ...(withLog ? { log: tilesOf(entries) } : {}),
  };
}
