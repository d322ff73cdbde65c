export { openPostgresQueues } from './postgres-queues.ts';
export { openRedisQueues } from './redis-queues.ts';
export { RedisRefusedError } from './surroundings/examine-redis.ts';
export { inspectRedis } from './surroundings/look-at-redis.ts';
