import { expect, it } from '@jest/globals';
import { openWorkerPool } from './worker-pool.ts';

it('gives the memory of a result away instead of a copy of it', async () => {
  const module = new URL('../fixtures/moving-worker.ts', import.meta.url);
  const pool = openWorkerPool({ module, threadsMax: 1, memoryMibMax: 64 });
  try {
    const bytes = new Uint8Array(64).fill(7);
    expect(await pool.run(null, [])).toEqual({ bytes, leftBytes: undefined });
    expect(await pool.run(null, [])).toEqual({ bytes, leftBytes: 0 });
  } finally {
    await pool.close();
  }
});
