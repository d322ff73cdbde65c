/** Records what this release sends to the database, and its commit, at its release: `npm run statements:record`. */
import '../../tools/help/before-run.ts';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { PRODUCT_VERSION } from '@answer-evidence/contracts';
import { layOut } from '../../tools/format/lay-out.ts';
import { ROUTE_TABLE } from '../../tools/scenery/route-table.ts';
import type { Target } from '../../tools/scenery/tenants.ts';
import { hookQueries } from '../support/hook-queries.ts';
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

hookQueries(async ({ client, text, send }) => {
  note(client, text);
  return send();
});

type Wire = { readonly stream: { readonly writable: boolean; write(bytes: Buffer): boolean } };
type Submitted = { submit: (wire: Wire) => unknown };

/** The texts of the Parse messages among what is sent: `P`, a length, then a name and the text, each ending in 0. */
function parsedIn(bytes: Buffer): readonly string[] {
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    if (bytes[at] !== 0x50) continue;
    const from = bytes.indexOf(0, at + 5) + 1;
    texts.push(bytes.toString('utf8', from, bytes.indexOf(0, from)));
  }
  return texts;
}

// Transactions are written as one piece, by queries that write themselves.
const prototype = pg.Client.prototype as unknown as { query: (this: pg.Client, ...args: unknown[]) => unknown };
const { query } = prototype;
prototype.query = function (...args) {
  const [given] = args as [Partial<Submitted> | string];
  if (typeof given === 'object' && given.submit !== undefined && Object.hasOwn(given, 'submit')) {
    const { submit } = given as Submitted;
    given.submit = (wire) => {
      const write = (bytes: Buffer) => {
        for (const text of parsedIn(bytes)) note(this, text);
        return wire.stream.write(bytes);
      };
      return submit(Object.assign(Object.create(wire), { stream: { writable: wire.stream.writable, write } }));
    };
  }
  return query.apply(this, args);
};

const { records, service } = await openRichWorkspace({ isTileFull: true });
const first = async (path: string) => (await service.call('GET', path)).body.items[0].id as string;
const target = {
  slug: (await service.call('GET', '/api/whoami')).body.workspace.slug,
  recordId: records.identified ?? '',
  assetId: await first('/api/evidence-assets'),
  runId: await first('/api/reconciliations/runs'),
  deadLetterId: await first('/api/dead-letters'),
  memberId: await first('/api/members'),
  tokenId: await first('/api/tokens'),
} as Target;
for (const [name, { path }] of Object.entries(ROUTE_TABLE))
  if (name.startsWith('GET ')) await service.call('GET', path(target));
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
