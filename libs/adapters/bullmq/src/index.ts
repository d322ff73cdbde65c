export { openPostgresQueues } from './postgres-queues.ts';
export { openRedisQueues, RedisRefusedError } from './redis-queues.ts';
