import shape from './jest.config.mjs';

/** What runs as it is deployed, in systems of their own: needs root, and what each test names. */
export default {
  ...shape,
  testMatch: ['<rootDir>/tools/*/*-deployed.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  maxWorkers: 1,
};
