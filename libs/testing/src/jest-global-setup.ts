import { startTestPostgres, testPostgresVariable, type TestPostgres } from './postgres-server.ts';

/** The PostgreSQL that this run started; Jest loads the teardown in the same process. */
export const started: { postgres?: TestPostgres } = {};

/** Starts one PostgreSQL for the run and names it to the workers, unless the environment names one (Jest: `globalSetup`). */
export default async function setUp(): Promise<void> {
  if ((process.env[testPostgresVariable] ?? '') !== '') return;
  started.postgres = await startTestPostgres();
  process.env[testPostgresVariable] = started.postgres.url;
}
