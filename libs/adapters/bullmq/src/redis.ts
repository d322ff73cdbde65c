// Apart from PostgreSQL, since the client of Redis takes 50 ms of a processor to load: imported where a URL is set.
export { openRedisQueues } from './redis-queues.ts';
export { inspectRedis } from './surroundings/look-at-redis.ts';
export { RedisRefusedError } from './surroundings/refusals.ts';
