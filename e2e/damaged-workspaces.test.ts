import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { openTestDatabase, type TestDatabase } from '@answer-evidence/testing';
import { runOperatorCommand, startProcess } from './support/service-process.ts';

const MINUTES_MS = 60_000;

let dataDir: string;
let database: TestDatabase;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-damaged-'));
  database = await openTestDatabase();
  const service = startProcess({ dataDir, environment: { DATABASE_URL: database.url } });
  await service.ready;
  await service.stop();
  const config = ['--config', join(dataDir, 'acme.yaml')];
  await operate('workspace-create', ...['--slug', 'acme', '--name', 'Acme', '--manager', 'mia'], ...config);
}, MINUTES_MS);
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

function operate(...args: readonly string[]) {
  return runOperatorCommand(args, { dataDir, environment: { DATABASE_URL: database.url } });
}

/** As anyone who has the whole database in hands: without the triggers that refuse changes. */
async function alter(...sql: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    for (const statement of ['set session_replication_role = replica', ...sql]) await client.query(statement);
  } finally {
    await client.end();
  }
}

describe('npm run ledger:check on altered workspaces and keys', () => {
  it(
    'names the damaged one, and checks all others',
    async () => {
      const sound = 'demo: PASS, 4 of 4 entries re-derived';
      const found = async (...sql: readonly string[]) => {
        await alter('create table copies as table answer_evidence.workspaces', ...sql);
        const { code, stdout } = await operate('ledger-check');
        await alter(
          'delete from answer_evidence.workspaces',
          'insert into answer_evidence.workspaces select * from copies',
          'drop table copies',
        );
        return [code, ...stdout.split('\n')];
      };
      const acme = `answer_evidence.workspaces set %s where slug = 'acme'`;
      const altered = (change: string) => found(`update ${acme.replace('%s', change)}`);
      expect(await altered('wrapped_key = set_byte(wrapped_key, 20, 255 - get_byte(wrapped_key, 20))')).toEqual([
        1,
        sound,
        'acme: FAIL, the keys of the workspace "acme" do not open: nothing of it can be checked; restore the newest backup',
      ]);
      const unreadable = await altered(`vkey = 'unreadable'`);
      expect(unreadable.slice(0, 2)).toEqual([1, sound]);
      expect(unreadable.join('\n')).toMatch(/acme: FAIL.*\n.*FAIL log_name.*\n.*FAIL workspace: /);
      const swapped = await found(
        `update ${acme.replace('%s', `slug = 'other'`)}`,
        `update answer_evidence.workspaces set slug = 'acme' where slug = 'demo'`,
      );
      expect(swapped.filter((line) => /FAIL workspace/.test(String(line)))).toHaveLength(4);
      expect(await found(`delete from answer_evidence.workspaces where slug = 'acme'`)).toEqual([
        1,
        sound,
        'FAIL installation: workspaces: 2 were made, 1 are stored',
        expect.stringMatching(/^FAIL installation: heads of the workspace \S+ are kept in \S+\/heads, but/),
      ]);
      const seed = 'wrapped_seed = set_byte(wrapped_seed, 20, 255 - get_byte(wrapped_seed, 20))';
      await alter(`update answer_evidence.token_signing_keys set ${seed}`);
      const { code, stdout } = await operate('ledger-check');
      await alter(`update answer_evidence.token_signing_keys set ${seed}`);
      expect([code, ...stdout.split('\n')]).toEqual([
        1,
        sound,
        'acme: PASS, 4 of 4 entries re-derived',
        'FAIL installation: the token signing key of generation 1: its MAC is missing or wrong',
        'FAIL installation: the token signing key of generation 1: its seed does not open',
      ]);
    },
    3 * MINUTES_MS,
  );
});
