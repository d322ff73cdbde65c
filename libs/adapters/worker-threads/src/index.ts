export { moveResult } from './move-result.ts';
export { openWorkerPool, type WorkerPool } from './worker-pool.ts';
