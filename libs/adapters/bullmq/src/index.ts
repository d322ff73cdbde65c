export { openPostgresQueues } from './postgres-queues.ts';
