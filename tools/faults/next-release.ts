import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../../e2e/support/service-process.ts';

/** A release after this one: the same programs, and one migration more. */
type NextRelease = {
  /** The bundle of its server. */
  readonly server: string;
  /** What an operator does first, while the previous release runs. */
  migrate(environment: Readonly<Record<string, string>>): Promise<void>;
  remove(): Promise<void>;
};

/** As `docs/operations/upgrades.md` permits it: the previous release goes on beside it, and may start again. */
const MIGRATION = `alter table answer_evidence.workspaces add column next_release_note text;
create table answer_evidence.next_release (id bigint primary key);
`;

/** Makes it in a folder of its own, from the bundles of this one. */
export async function makeNextRelease(): Promise<NextRelease> {
  const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-next-'));
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
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
