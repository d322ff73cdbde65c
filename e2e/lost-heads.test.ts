import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openHeadFiles } from '@answer-evidence/filesystem';
import { createHeadStore } from '@answer-evidence/stage-trust';
import { runOperatorCommand } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const heads = (): string => join(service.dataDir, 'heads');

function operate(...args: readonly string[]) {
  const environment = { DATABASE_URL: service.databaseUrl };
  return runOperatorCommand(args, { dataDir: service.dataDir, environment });
}

/** Keeps a head of a workspace that the database does not have, as a process does that is killed then. */
async function keepLostHead(treeSize: number): Promise<string> {
  const workspaceId = randomUUID();
  await createHeadStore(await openHeadFiles(heads())).keep({
    workspaceId,
    origin: 'example.com/lost/00000000',
    treeSize,
    rootHash: 'ab'.repeat(32),
    systemIdentifier: '1',
  });
  return workspaceId;
}

describe('heads without a workspace', () => {
  it('are not left by a workspace whose slug is taken', async () => {
    const before = await readdir(heads());
    const file = join(service.dataDir, 'second.yaml');
    const args = ['--slug', service.workspace, '--name', 'X', '--manager', 'ada', '--config', file];
    const refused = await operate('workspace-create', ...args);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/the slug ".*" is taken/)]);
    expect(await readdir(heads())).toEqual(before);
    expect((await operate('ledger-check')).code).toBe(0);
  });

  it('are forgotten on request, which is recorded and deletes nothing', async () => {
    const id = await keepLostHead(0);
    const found = await operate('ledger-check');
    expect([found.code, found.stdout]).toEqual([
      1,
      expect.stringContaining(`npm run operator -- heads-forget --workspace ${id}`),
    ]);
    const before = await readdir(join(heads(), id));
    expect((await operate('heads-forget', '--workspace', id)).code).toBe(0);
    expect(await readdir(join(heads(), id))).toEqual(['forgotten.json', ...before]);
    expect((await operate('ledger-check')).code).toBe(0);
  });

  it('that show a loss are forgotten only by those who accept it, and those of a workspace never', async () => {
    const id = await keepLostHead(5);
    const refused = await operate('heads-forget', '--workspace', id);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/a head of 5 entries .* was signed/)]);
    expect((await operate('ledger-check')).code).toBe(1);
    expect((await operate('heads-forget', '--workspace', id, '--accept-loss')).code).toBe(0);
    expect((await operate('ledger-check')).code).toBe(0);
    const { body } = await service.call('GET', '/api/tenant');
    for (const wrong of ['no-id', randomUUID(), String(body.id)])
      expect((await operate('heads-forget', '--workspace', wrong, '--accept-loss')).code).toBe(2);
  });
});
