/** Records what this release sends to the database, and its commit, at its release: `npm run statements:record`. */
import '../../tools/help/before-run.ts';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { PRODUCT_VERSION } from '@answer-evidence/contracts';
import { layOut } from '../../tools/format/lay-out.ts';
import { noteStatements } from '../support/note-statements.ts';
import { readEveryRoute } from '../support/read-every-route.ts';
import { openRichWorkspace } from '../support/rich-workspace.ts';
import { COMMIT_FILE } from './build-program.ts';
import { FILE, isPlanned, readColumns, type ReleasedStatements } from './statements.ts';

const seen = new Map<string, Set<string>>();

/** Statements of several rows are sent with as many tuples as there are rows; one stands for all. */
function note(client: pg.Client, text: string): void {
  const role = (client.user ?? '').replace(/_\d+$/, '');
  const one = text.replace(/(values \((?:\$\d+(?:, )?)+\))(?:, \((?:\$\d+(?:, )?)+\))+/, '$1');
  if (isPlanned(one)) seen.set(role, (seen.get(role) ?? new Set()).add(one));
}

noteStatements(note);

const { records, service } = await openRichWorkspace({ isTileFull: true });
await readEveryRoute(service, records);
const owner = new pg.Client({ connectionString: service.databaseUrl });
await owner.connect();
const columns = await readColumns(owner);
await owner.end();
await service.close();

const statements: ReleasedStatements = {
  release: PRODUCT_VERSION,
  columns,
  statements: Object.fromEntries(
    ['answer_evidence_app', 'answer_evidence_relay'].map((role) => [role, [...(seen.get(role) ?? [])].toSorted()]),
  ),
};
await writeFile(FILE, await layOut(fileURLToPath(FILE), JSON.stringify(statements)));
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
await writeFile(COMMIT_FILE, await layOut(fileURLToPath(COMMIT_FILE), JSON.stringify({ commit })));
for (const [role, texts] of seen) console.log(`${role}: ${texts.size} statements`);
process.exit(0);
