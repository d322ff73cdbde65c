import type { Identity } from './identity.ts';
import type { Notes } from './notes.ts';

/** What decides whether a release may be published. */
export type Readiness = {
  readonly identity: Identity;
  readonly notes: Notes;
  readonly base: string | undefined;
  readonly sign: string | undefined;
  /** The tags of the commit. */
  readonly tags: readonly string[];
  readonly isClean: boolean;
  /** The test files that passed only when they were run again, a line each. */
  readonly unsteady: string;
};

/** What still has to be done before a release, a sentence each. */
export function findObstacles({ identity, notes, base, sign, tags, isClean, unsteady }: Readiness): readonly string[] {
  const { version, repository } = identity;
  const files = unsteady.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return [
    ...(repository === undefined ? ['fill in repository.url in package.json, then npm run release -- --set'] : []),
    ...(notes.date === undefined ? [`write the day into CHANGELOG.md: ## [${version}] - 2030-01-31`] : []),
    ...(tags.includes(`v${version}`) ? [] : [`tag the commit v${version}`]),
    ...(isClean ? [] : ['commit what is changed']),
    ...(base === undefined ? ['name the base of the image: --base BASE.tar'] : []),
    ...(sign === undefined ? ['name the key of releases: --sign KEYFILE'] : []),
    ...files.map((file) => `make ${file} pass at once, and remove it from .ci/passed-only-again.txt`),
  ];
}
