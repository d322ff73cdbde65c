import shape from './jest.config.mjs';

/** Failovers of Redis and PostgreSQL under load, one after the other: minutes in which the machine mostly waits. */
export default {
  ...shape,
  testMatch: ['<rootDir>/e2e/*-failover.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  maxWorkers: 1,
};
