import shape from './jest.config.mjs';

/**
 * What runs a second time, on the split form (`npm run test:split`): the five processes behind a proxy, with Redis and
 * an S3 server, started once for all files. Each file has workspaces of its own there.
 */
const FILES = [
  // Every route, as every kind of caller: whether the proxy and the processes agree on who serves what.
  'isolation',
  'first-answer',
  'lists',
  'limits',
  'exports',
  'http-headers',
  'wrong-requests',
  'otlp-mapping',
  // One process changes the settings, and another obeys them.
  'settings-obeyed',
];

/**
 * The other files of `e2e/` stay out. They kill or configure the service under test; read or damage its files and
 * tables (evidence-bytes, tampering); count the rows of the whole database (bad-input, bad-requests); need a host with
 * one workspace (examples, auditor, sdk, reconcile-cli), or the memory or the end of one process (otlp-hostile,
 * token-rotation); or are long and the same in both shapes (fuzz, api-docs).
 */
export default {
  ...shape,
  globalSetup: '<rootDir>/e2e/support/split-global-setup.ts',
  testMatch: FILES.map((name) => `<rootDir>/e2e/${name}.test.ts`),
};
