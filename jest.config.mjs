import { availableParallelism } from 'node:os';

/** Runs the TypeScript sources as they are, in ESM; start it with `node --experimental-vm-modules`. */
export default {
  testMatch: ['<rootDir>/{libs,apps,tools,e2e}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript' },
          target: 'es2024',
          // Node asks for the type of an imported JSON file.
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  globalSetup: '<rootDir>/libs/testing/src/jest-global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/src/jest-global-teardown.ts',
  testTimeout: 60_000,
  // Most of the long tests wait for a database or a process as long as they compute, so two cores have work for three.
  maxWorkers: Math.max(3, availableParallelism() - 1),
  // Modules of a test file stay in the memory of the process that ran it: one process for all of them came to 4 GB and
  // ended.
  workerIdleMemoryLimit: '1GB',
};
