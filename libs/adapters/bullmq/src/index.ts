export { openPostgresQueues } from './postgres-queues.ts';
export { openRedisQueues } from './redis-queues.ts';
export { inspectRedis } from './surroundings/look-at-redis.ts';
export { RedisRefusedError } from './surroundings/refusals.ts';
