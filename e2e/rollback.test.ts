import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { postgresPidsOf, readToken, startProcess, until } from '../tools/scenery/service-process.ts';
import { sendCreate } from './support/creating-client.ts';
import { copyReadyData } from './support/ready-data.ts';

let folder: string;
let dataDir: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-rollback-'));
  dataDir = join(folder, 'data');
  await copyReadyData(dataDir);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts, records that many answers, waits until the head of them is kept outside, stops; returns that head's size. */
async function record(names: readonly string[]): Promise<number> {
  const service = startProcess({ dataDir });
  const baseUrl = await service.ready;
  const token = await readToken(dataDir);
  let size = 0;
  for (const name of names) {
    const reply = await sendCreate(new Agent(), baseUrl, token, name);
    expect(reply.status).toBe(201);
    size = JSON.parse(reply.text).ledger.leaf_index + 1;
  }
  await until('the head outside', async () => (await keptSize()) >= size);
  expect(await service.stop()).toEqual({ code: 0, signal: null });
  return size;
}

/** The newest head that is kept. */
async function headFile(): Promise<string> {
  const [workspaceId = 'none'] = await readdir(join(dataDir, 'heads'));
  const folder = join(dataDir, 'heads', workspaceId);
  const names = (await readdir(folder)).filter((name) => name.startsWith('head-'));
  return join(folder, names.sort().at(-1) ?? 'none');
}

async function keptSize(): Promise<number> {
  try {
    return JSON.parse(await readFile(await headFile(), 'utf8')).tree_size;
  } catch {
    return 0;
  }
}

async function refusal(): Promise<string> {
  const service = startProcess({ dataDir });
  expect(await service.exited).toEqual({ code: 1, signal: null });
  expect(postgresPidsOf(dataDir)).toEqual([]);
  const lines = service.stderr.filter((line) => line !== 'answer-evidence: starting PostgreSQL');
  expect([lines.length, service.stdout]).toEqual([1, []]);
  return lines[0] ?? '';
}

/** Copies with owners and modes, which PostgreSQL asks for. */
function copy(from: string, to: string): void {
  expect(spawnSync('cp', ['-a', from, to]).status).toBe(0);
}

describe('the head that is kept outside of the database', () => {
  it('stops a start on an older database, and on one that is beside it, and lets the right one start', async () => {
    const older = await record(['before']);
    const postgres = join(dataDir, 'postgres');
    copy(postgres, join(folder, 'older'));
    const newer = await record(['after 1', 'after 2']);
    copy(postgres, join(folder, 'newer'));
    expect(newer).toBe(older + 2);

    await rm(postgres, { recursive: true });
    copy(join(folder, 'older'), postgres);
    expect(await refusal()).toMatch(
      new RegExp(`holds ${older} entries, but ${newer} were signed: the database is older than its log\\. .*restore`),
    );
    await rm(postgres, { recursive: true });
    copy(join(folder, 'newer'), postgres);

    const file = await headFile();
    const kept = await readFile(file, 'utf8');
    const flip = (text: string) => text.replace(/[0-9a-f](?=[0-9a-f]{63}\b)/, (digit) => (digit === '0' ? '1' : '0'));
    const other = flip(file);
    await rename(file, other);
    await writeFile(other, flip(kept));
    expect(await refusal()).toMatch(new RegExp(`differs from the one signed at size ${newer} \\(kept as .*restore`));
    await writeFile(file, kept);
    expect(await refusal()).toMatch(new RegExp(`has 2 roots at size ${newer}: .*head-.* and .*head-.*ledger-recover`));
    await rm(other);
    await writeFile(file, kept.slice(1));
    expect(await refusal()).toMatch(/heads\/.*\.json cannot be read or is damaged.*; restore the file from a backup/);
    await writeFile(file, kept);
    expect(await record(['and on'])).toBe(newer + 1);
  }, 240_000);
});
