import { started } from './jest-global-setup.ts';
import { testPostgresVariable } from './postgres-server.ts';

/** Ends the PostgreSQL that the setup started, if it did (Jest: `globalTeardown`). */
export default async function tearDown(): Promise<void> {
  if (started.postgres === undefined) return;
  await started.postgres.close();
  // In watch mode the next run starts its own.
  delete process.env[testPostgresVariable];
  delete started.postgres;
}
