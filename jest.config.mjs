import { availableParallelism } from 'node:os';

/**
 * Runs the TypeScript sources as Node does, without a context of their own: modules are loaded once for all test files
 * of a worker.
 */
export default {
  runner: ['<rootDir>/tools/jest/runner.ts', { runtime: 'child_process' }],
  testMatch: ['<rootDir>/{libs,apps,packages,tools,e2e}/**/*.test.ts'],
  // Failovers and deployments have runs of their own, `npm run suite -- failover` and `npm run suite -- deployed`.
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '-(?:failover|deployed)\\.test\\.ts$'],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  globalSetup: '<rootDir>/libs/testing/src/jest-global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/src/jest-global-teardown.ts',
  setupFiles: ['<rootDir>/tools/jest/set-up-worker.ts'],
  transform: {},
  testSequencer: '<rootDir>/tools/jest/sequencer.ts',
  // The long tests wait for a database or a process longer than they compute, so two cores have work for four.
  maxWorkers: Math.max(4, availableParallelism() - 1),
};
