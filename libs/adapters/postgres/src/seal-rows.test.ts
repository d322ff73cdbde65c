import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { macOfHeadV1 } from '@answer-evidence/ledger';
import { type HeadRow, TOKEN_KEYS } from '@answer-evidence/tables';
import { openTestLog, type TestLog } from '../fixtures/open-log.ts';
import {
  checkInstallation,
  createTokenKeyStore,
  createWorkspaceDirectory,
  listStoredWorkspaces,
  sealRows,
} from './index.ts';

let log: TestLog;
beforeEach(async () => {
  log = await openTestLog();
  await createTokenKeyStore(log.pool, log.vault).add({
    kid: 'first',
    generation: 1,
    wrapped_seed: log.vault.wrap('first', new Uint8Array(32)),
    created_at: 1,
    signs_from: 1,
  });
});
afterEach(() => log.close());

const run = (sql: string, values: readonly unknown[] = []) => log.owner.query(sql, values as unknown[]);
const findings = async () => (await log.check()).findings.map(({ check, detail }) => `${check}: ${detail}`);
const ofInstallation = () => checkInstallation(log.pool, log.vault, (kid) => kid);
const TABLES_WITH_MACS = ['installation', 'workspaces', TOKEN_KEYS.name, 'evidence_dues', 'evidence_purges'];

/** Puts the database back to how a release without these MACs left it. */
async function takeMacsAway(): Promise<void> {
  for (const table of TABLES_WITH_MACS) await run(`update answer_evidence.${table} set mac = null`);
  await run('update answer_evidence.installation set workspaces = null, token_keys = null');
  const { rows } = await log.owner.query<HeadRow>('select * from answer_evidence.ledger_heads');
  for (const head of rows)
    await run('update answer_evidence.ledger_heads set mac = $1', [macOfHeadV1(head, log.workspace.vault.mac)]);
}

describe('rows from before there were MACs', () => {
  it('are sealed by the next start, and then nothing is wrong with them', async () => {
    await takeMacsAway();
    expect(await sealRows(log.pool, log.vault)).toBe(1);
    expect([await findings(), await ofInstallation()]).toEqual([[], []]);
    expect(await sealRows(log.pool, log.vault)).toBe(0);
    expect(await createWorkspaceDirectory(log.pool, log.vault).list()).toHaveLength(1);
  });

  it('are sealed by one of several processes that start at once', async () => {
    await takeMacsAway();
    const sealed = await Promise.all(Array.from({ length: 4 }, () => sealRows(log.pool, log.vault)));
    expect(sealed.toSorted()).toEqual([0, 0, 0, 1]);
    expect([await findings(), await ofInstallation()]).toEqual([[], []]);
  });

  it('are not sealed under a head that the service did not write', async () => {
    await takeMacsAway();
    await run('update answer_evidence.ledger_heads set mac = $1', [new Uint8Array(32)]);
    expect(await sealRows(log.pool, log.vault)).toBe(0);
    expect(await findings()).toEqual(['head: its MAC is invalid', 'workspace: the MAC of its row is missing or wrong']);
  });
});

describe('a MAC that goes missing later', () => {
  it('is never written again, whatever else was changed, and is named', async () => {
    await run(`update answer_evidence.workspaces set display_name = 'another', mac = null`);
    await run(`update answer_evidence.${TOKEN_KEYS.name} set signs_from = 2, mac = null`);
    await run('update answer_evidence.installation set workspaces = null, token_keys = null, mac = null');
    expect(await sealRows(log.pool, log.vault)).toBe(0);
    expect(await findings()).toEqual(['workspace: the MAC of its row is missing or wrong']);
    expect(await ofInstallation()).toEqual([
      'the token signing key of generation 1: its MAC is missing or wrong',
      'the row of the installation: its MAC is missing or wrong',
    ]);
  });

  it('makes the workspace unavailable and unlisted, and the keys of tokens refused', async () => {
    await run(`update answer_evidence.workspaces set display_name = 'another'`);
    const told: unknown[] = [];
    const directory = createWorkspaceDirectory(log.pool, log.vault, (damaged) => told.push(damaged));
    const { id, slug } = log.workspace;
    const refusal = { code: 'content_damaged', remedy: 'retry' };
    await expect(directory.get(id)).rejects.toMatchObject(refusal);
    await expect(directory.findBySlug(slug)).rejects.toMatchObject(refusal);
    expect(await directory.list()).toEqual([]);
    const reason = `the MAC of the row of the workspace "${slug}" is missing or wrong`;
    expect(told).toEqual([[{ id, slug, reason }]]);
    await run(`update answer_evidence.${TOKEN_KEYS.name} set signs_from = 2`);
    await expect(createTokenKeyStore(log.pool, log.vault).list()).rejects.toThrow('the MAC of a row of token_signing');
  });
});

describe('the check of the installation', () => {
  it('names a workspace and a key that are gone', async () => {
    await run('set session_replication_role = replica; delete from answer_evidence.workspaces');
    await run(`delete from answer_evidence.${TOKEN_KEYS.name}`);
    expect(await ofInstallation()).toEqual([
      'workspaces: 1 were made, 0 are stored',
      'token signing keys: 1 were made, 0 are stored',
    ]);
  });

  it('names rows whose numbers cannot be read', async () => {
    await run('update answer_evidence.workspaces set created_at = 9223372036854775807');
    await run(`update answer_evidence.${TOKEN_KEYS.name} set signs_from = 9223372036854775807`);
    expect(await ofInstallation()).toEqual(['the token signing key of generation 1: its MAC is missing or wrong']);
    expect(await listStoredWorkspaces(log.pool, log.vault)).toHaveLength(1);
    expect(await createWorkspaceDirectory(log.pool, log.vault).list()).toEqual([]);
  });

  it('names a key whose seed does not open', async () => {
    await run(`update answer_evidence.${TOKEN_KEYS.name} set wrapped_seed = $1`, [new Uint8Array(60)]);
    expect(await ofInstallation()).toEqual([
      'the token signing key of generation 1: its MAC is missing or wrong',
      'the token signing key of generation 1: its seed does not open',
    ]);
  });
});
