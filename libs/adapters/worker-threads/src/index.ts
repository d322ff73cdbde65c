export { openWorkerPool, type WorkerPool } from './worker-pool.ts';
