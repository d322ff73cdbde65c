import { execFile } from 'node:child_process';
import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../scenery/service-process.ts';

/** A release after this one: the same programs, and one migration more. */
type NextRelease = {
  /** The bundle of its server. */
  readonly server: string;
  /** What an operator does first, while the previous release runs. */
  migrate(environment: Readonly<Record<string, string>>): Promise<void>;
};

/** As `docs/operations/upgrades.md` permits it: the previous release goes on beside it, and may start again. */
const MIGRATION = `alter table answer_evidence.workspaces add column next_release_note text;
create table answer_evidence.next_release (id bigint primary key);
`;

/** Makes it below a folder that stays as long as its processes run, from the bundles of this one. */
export async function makeNextRelease(below: string): Promise<NextRelease> {
  const folder = await mkdtemp(join(below, 'next-'));
  const programOf = (app: string): string => join(folder, app, 'main.js');
  for (const app of ['server', 'operator']) {
    await cp(dirname(bundle(app)), join(folder, app), { recursive: true });
    await writeFile(join(folder, app, 'migrations', '9999_next_release_additive.sql'), MIGRATION);
  }
  return {
    server: programOf('server'),
    async migrate(environment) {
      await promisify(execFile)(process.execPath, [programOf('operator'), 'database-migrate'], { env: environment });
    },
  };
}
