import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataDir } from './data-dir.ts';
import { findPort } from './free-port.ts';

let folder: string;
let dir: DataDir;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-port-'));
  dir = { path: folder, portFile: join(folder, 'port') } as DataDir;
});
afterEach(() => rm(folder, { recursive: true }));

async function listen(port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

describe('findPort', () => {
  it('finds one that no system gives to outgoing connections', async () => {
    for (let n = 0; n < 20; n++) {
      const port = await findPort(dir);
      expect(port).toBeGreaterThanOrEqual(20_000);
      expect(port).toBeLessThan(32_768);
    }
  });

  it('keeps that of the last start while it is free, and finds another one when it is not', async () => {
    const last = await findPort(dir);
    await writeFile(dir.portFile, `${last}\n`);
    expect(await findPort(dir)).toBe(last);
    const taken = await listen(last);
    try {
      expect(await findPort(dir)).not.toBe(last);
    } finally {
      taken.close();
    }
  });

  it.each(['', 'many\n', '70000\n'])('finds one where the file says %j', async (text) => {
    await writeFile(dir.portFile, text);
    expect(await findPort(dir)).toBeGreaterThan(0);
  });
});
