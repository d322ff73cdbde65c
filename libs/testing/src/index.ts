export { type CalledReply, createRouteCaller, type RouteCall } from './call-route.ts';
export { createFakeApplicationTokens } from './fake-application-tokens.ts';
export { FakeDatabase } from './fake-database.ts';
export { type FakeFailure, FakeLedger } from './fake-ledger.ts';
export { createFakeStage, type FakeStage } from './fake-stage.ts';
export { createFakeVault } from './fake-vault.ts';
export { createFakeWorkspace, type FakeWorkspace } from './fake-workspace.ts';
export { openTestPostgres, type TestPostgres } from './postgres-server.ts';
export { openTestDatabase, type TestDatabase } from './test-database.ts';
