import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readTrustedLogs } from './read-trusted-logs.ts';

const VKEY = 'example.com/answers/t1+c59b50ed+AUy1q/atefv1q7zK/MJp2FzSZR7UuIW1hp8kGu3wpbop';

describe('readTrustedLogs', () => {
  it('joins the logs of the command line and of the file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-logs-'));
    const file = join(folder, 'logs');
    try {
      await writeFile(file, `logs/v0\nvkey ${VKEY}\norigin another.example\n`);
      expect([...(await readTrustedLogs([VKEY], file)).keys()]).toEqual(['example.com/answers/t1', 'another.example']);
      await writeFile(file, 'hunter2\n');
      const error: unknown = await readTrustedLogs([], file).catch((thrown: unknown) => thrown);
      expect(String(error)).toContain(`${file}, line 1`);
      expect(String(error)).not.toContain('hunter2');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('refuses what is no key, a missing file, and a witness without any log', async () => {
    await expect(readTrustedLogs(['x'], undefined)).rejects.toThrow('--log, line 1');
    await expect(readTrustedLogs([VKEY], '/nowhere/logs')).rejects.toThrow('/nowhere/logs cannot be read');
    await expect(readTrustedLogs([], undefined)).rejects.toThrow('--log VKEY');
  });
});
