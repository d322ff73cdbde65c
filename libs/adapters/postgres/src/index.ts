export { createPostgresLedger, type PostgresLedger, readSettings } from './ledger.ts';
export { createWorkspace, type NewWorkspace, SlugTakenError } from './create-workspace.ts';
export { isConnectionFailure, sqlState } from './failures.ts';
export { migrate } from './migrate.ts';
export { type DatabaseRole, openPool } from './pool.ts';
export { createAdministrationStore } from './stores/administration-store.ts';
export { createWorkspaceDirectory } from './stores/directory.ts';
export { createLogStore } from './stores/log-store.ts';
export { createRecordStore } from './stores/record-store.ts';
