export { findWrongAccess } from './access-table.ts';
export { ascii, encodeDer, encodeOid } from './authority/encode-der.ts';
export { AUTHORITY_EXTENSIONS, type CertificateOrder, ISSUER_EXTENSIONS } from './authority/issue-certificate.ts';
export {
  type Craft,
  CRAFTED_DIGEST,
  CRAFTED_NONCE,
  type Crafter,
  openCrafter,
  type TstInfoCraft,
} from './authority/open-crafter.ts';
export { openTestAuthority, type TestAuthority, type TestAuthorityOptions } from './authority/open-test-authority.ts';
export { issueRevocationList, REVOKER_EXTENSIONS } from './authority/issue-revocation-list.ts';
export { RESPONDER_EXTENSIONS, respondToOcsp } from './authority/respond-to-ocsp.ts';
export { runOpenssl } from './authority/openssl.ts';
export { type CalledReply, type CallRoute, createRouteCaller, type RouteCall } from './call-route.ts';
export { changeSettings, prepareSettingsChange } from './change-settings.ts';
export { type CuttableRelay, openCuttableRelay } from './cuttable-relay.ts';
export { createFakeAnchor, type FakeAnchor } from './fake-anchor.ts';
export { FakeDatabase } from './fake-database.ts';
export { type FakeFailure, FakeLedger } from './fake-ledger.ts';
export { FakeOutbound, type FakePeer, silentPeer } from './fake-outbound.ts';
export { createFakeHeadFiles } from './fake-head-files.ts';
export { FakeQueues } from './fake-queues.ts';
export { createFakeStage, type FakeStage } from './fake-stage.ts';
export { createTestVault } from './test-vault.ts';
export { createFakeWorkspace, type FakeWorkspace } from './fake-workspace.ts';
export { type FakeAws, openFakeAws } from './aws/fake-aws.ts';
export { issueCertificate } from './authority/issue-certificate.ts';
export { judgeSignature } from './aws/judge-signature.ts';
export { withVariables } from './with-variables.ts';
export { listen, type ListeningServer } from './listen.ts';
export { MemoryObjects } from './memory-objects.ts';
export { type Misbehaviour, openMisbehavingPeers } from './misbehaving-peers.ts';
export { openTestRekor, type RekorConduct, type TestRekor } from './open-test-rekor.ts';
export { findFreePort } from './free-port.ts';
export { isInstalled } from './is-installed.ts';
export { type Keep, openTogether } from './open-together.ts';
export { startProgram } from './start-program.ts';
export { until, untilAnswered } from './until.ts';
export { FakeObjectStore, openFakeObjectStore, type StoreFault } from './fake-object-store.ts';
export { createFakeConsoleSessions } from './fake-console-sessions.ts';
export { createFakeDeviceLogins } from './fake-device-logins.ts';
export { createFakeLoginTries } from './fake-login-tries.ts';
export { findProblemFaults, findTextFaults } from './find-text-faults.ts';
export { openStage, type StageTest, type StageWorkspace } from './open-stage.ts';
export { openPostgresWorkspace, openSharedWorkspace, type PostgresWorkspace } from './postgres-workspace.ts';
export { createToldClockGuard, DAY_MICROS, type SteppingClock, type ToldClockGuard } from './stepping-clock.ts';
export { hasPgBouncer, startTestPgBouncer, type TestPgBouncer } from './pg-bouncer.ts';
export { startTestReplication, type TestReplication } from './postgres-replication.ts';
export { openTestPostgres, startTestPostgres, type TestPostgres } from './postgres-server.ts';
export { hasSoftHsm, openSoftHsm, type SoftHsm } from './soft-hsm.ts';
export { builtVariable, programsVariable } from './programs-variable.ts';
export { answer, appendEvent, createRecord, NO_ID, type RecordRoutes, RECORDS } from './record-routes.ts';
export { hasSentinels, startTestSentinels, type TestSentinels } from './redis-sentinels.ts';
export { hasRedis, startTestRedis, type TestRedis } from './redis-server.ts';
export {
  openEmptyDatabase,
  openTestDatabase,
  openTestLogins,
  prepareInstallation,
  type TestDatabase,
} from './test-database.ts';
/** For tests of adapters that may not depend on this one. */
export { sessionOf } from '@answer-evidence/postgres';
export type { TestWorkspace } from './test-workspace.ts';
export { accessTestAsset, registerTestAsset, type AssetOptions, type TestAsset } from './test-evidence.ts';
export { hasS3, startTestS3, type TestS3 } from './s3-server.ts';
export { openTestS3, S3_DOMAIN } from './shared-s3.ts';
export { citusVariable, findNodes } from './citus-nodes.ts';
