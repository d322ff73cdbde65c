export { EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from './embedded-postgres-error.ts';
export { findRunningPostgres } from './find-running-postgres.ts';
export { findPackages } from './native-binaries.ts';
export { linkLibraries } from './native-links.ts';
export { openEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './open-embedded-postgres.ts';
export type { ServerExit } from './start-server.ts';
