import shape from './jest.config.mjs';
import { IN_BOTH, IN_BOTH_ON_REQUEST } from './tools/jest/shapes.ts';

/**
 * What runs a second time, on the split form (`npm run suite -- split`): the five processes behind a proxy, with Redis
 * and an S3 server, started once for all files. Each file has workspaces of its own there.
 */
const files = [...IN_BOTH, ...(process.env.SPLIT_ALL === undefined ? [] : IN_BOTH_ON_REQUEST)];

export default {
  ...shape,
  globalSetup: '<rootDir>/e2e/support/split-global-setup.ts',
  testMatch: files.map((name) => `<rootDir>/e2e/${name}.test.ts`),
};
