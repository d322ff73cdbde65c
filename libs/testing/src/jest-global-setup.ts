import { openTestPostgres, testPostgresVariable } from './postgres-server.ts';
import { createTemplateDatabase, templateVariable } from './test-database.ts';

/** Ends what the setup opened; Jest loads the teardown in the same process. */
export const closers: (() => Promise<void>)[] = [];

/**
 * Starts one PostgreSQL for the run, unless the environment names one, migrates the template of its databases, and names
 * both to the workers (Jest: `globalSetup`).
 */
export default async function setUp(): Promise<void> {
  const given = process.env[testPostgresVariable];
  const postgres = await openTestPostgres();
  closers.push(() => postgres.close());
  const template = await createTemplateDatabase(postgres.url).catch(async (error: unknown) => {
    await postgres.close();
    throw error;
  });
  closers.push(() => template.drop());
  process.env[testPostgresVariable] = postgres.url;
  process.env[templateVariable] = template.name;
  // In watch mode the next run starts its own.
  closers.push(() => {
    if (given === undefined) delete process.env[testPostgresVariable];
    else process.env[testPostgresVariable] = given;
    delete process.env[templateVariable];
    return Promise.resolve();
  });
}
