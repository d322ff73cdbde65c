import { tokenEndsAt } from '@answer-evidence/access';
import {
  type Actor,
  DEFAULT_SETTINGS,
  type GenesisCore,
  hashKeyCore,
  roleOf,
  ServiceError,
  type SettingsCore,
  type SettingsValues,
} from '@answer-evidence/contracts';
import { formatHex, parseJsonText } from '@answer-evidence/encoding';
import { accessOf, NOTHING_KNOWN, placeWorkspaceEntry, planAppend, settingsEntry } from '@answer-evidence/ledger';
import { createVkey, ED25519, formatVkey } from '@answer-evidence/note';
import type {
  AdministrationStore,
  LogStore,
  Stores,
  WorkFinder,
  Workspace,
  WorkspaceDirectory,
} from '@answer-evidence/ports';
import { FakeDatabase } from './fake-database.ts';
import { createFakeDeviceLogins } from './fake-device-logins.ts';
import { FakeLedger } from './fake-ledger.ts';
import { logsOver } from './fake-log-store.ts';
import { membersOver } from './fake-member-store.ts';
import { createFakeOverview, type FakeOverview } from './fake-overview-store.ts';
import { createFakeStore, findPage, type OfWorkspace } from './fake-store.ts';
import { createTestAccounts, type TestAccounts } from './test-accounts.ts';
import { createTestVault } from './test-vault.ts';
import type { TestWorkspace } from './test-workspace.ts';
import { createTestCallers, createTestWorld } from './test-world.ts';

const SERVICE: Actor = { kind: 'service', id: 'test', token_id: null };

/** A workspace in memory with all that its stages ask for, and one caller of each kind. */
export type FakeWorkspace = TestWorkspace &
  TestAccounts & {
    readonly database: FakeDatabase;
    readonly ledger: FakeLedger;
    readonly otherLedger: FakeLedger;
    readonly overview: FakeOverview;
  };

/** Makes a workspace whose log holds the genesis and the first settings. */
export function createFakeWorkspace(first: Partial<SettingsValues> = {}): FakeWorkspace {
  const world = createTestWorld();
  const { clock, random, newId } = world;
  const nonce = () => formatHex(random.bytes(16));

  const id = newId();
  const logId = newId();
  const vault = createTestVault(id);
  const origin = `log.example/acme/${logId.slice(0, 8)}`;
  const vkey = formatVkey(createVkey(origin, ED25519, vault.firstLedgerKey.publicKey));
  const workspace: Workspace = { id, slug: 'acme', displayName: 'Acme', logId, origin, vkey, vault };

  const genesis: GenesisCore = { id: logId, nonce: nonce(), origin, vkey };
  const settings: SettingsValues = { ...DEFAULT_SETTINGS, ...first };
  const policy: SettingsCore = { id: newId(), nonce: nonce(), version: 1, settings, actor: SERVICE };
  const database = new FakeDatabase();
  const placed = [
    placeWorkspaceEntry(logId, { type: 'genesis', seq: 0, core: genesis }),
    placeWorkspaceEntry(id, settingsEntry(policy)),
  ];
  const command = {
    subject: logId,
    entryIds: [logId],
    settingsVersion: null,
    reads: {},
    sizeBytes: 0,
    decide: () => ({
      kind: 'append' as const,
      entries: placed.map(({ entry }) => entry),
      writes: placed.map(({ write }) => write),
    }),
  };
  database.commit(planAppend(database.head, NOTHING_KNOWN, clock.nowMicros(), [command]));

  const callers = createTestCallers(world, id, newId());
  const directory = createDirectory(workspace);
  const overview = createFakeOverview(id);
  // Without entries of their own, so that tests count leaves from the policy on.
  database.rows.members = [callers.manager, callers.member].map(({ userId, username, role }) => {
    return {
      id: userId,
      username,
      role: roleOf(role),
      access_json: null,
      role_source: null,
      created_at: clock.nowMicros(),
      disabled_at: null,
      removed_at: null,
      version: 1,
    };
  });
  const kept = {
    logs: createFakeStore(database, id, (tables) => logsOver(tables, workspace)) as Partial<LogStore> as LogStore,
    members: createFakeStore(database, id, membersOver),
    // What says only where to look may name a workspace in vain.
    work: new Proxy({} as WorkFinder, { get: () => () => directory.list() }),
    administration: createAdministration(database, id),
    overview,
    deviceLogins: createFakeDeviceLogins(),
  } satisfies Partial<Stores>;
  return {
    // A test of what is not kept in memory brings its own, or opens PostgreSQL.
    ...(kept as Stores & typeof kept),
    ...world,
    ...callers,
    ...createTestAccounts(),
    workspace,
    database,
    ledger: new FakeLedger(workspace, database, clock),
    otherLedger: new FakeLedger(workspace, database, clock),
    directory,
    readAttestations: () => Promise.resolve(overview.attestations),
    readFreshSettings: () => Promise.resolve(database.settings()),
  };
}

function createDirectory(workspace: Workspace): WorkspaceDirectory {
  return {
    get: (workspaceId) =>
      workspaceId === workspace.id
        ? Promise.resolve(workspace)
        : Promise.reject(new ServiceError('not_found', 'no such workspace')),
    findBySlug: (slug) => Promise.resolve(slug === workspace.slug ? workspace : undefined),
    list: () => Promise.resolve([workspace]),
  };
}

function createAdministration(database: FakeDatabase, workspaceId: string): AdministrationStore {
  return {
    ...createFakeStore<Omit<AdministrationStore, 'findToken'>>(database, workspaceId, administrationOver),
    findToken(tokenId) {
      const token = database.rows.tokens.find(({ id }) => id === tokenId);
      if (token === undefined) return Promise.resolve(undefined);
      const row = database.rows.members.find(
        ({ id, removed_at: removedAt }) => id === token.user_id && removedAt === null,
      );
      const user =
        row === undefined
          ? undefined
          : {
              id: row.id,
              username: row.username,
              access: accessOf(row),
              disabled: row.disabled_at !== null,
            };
      return Promise.resolve({ token, workspaceId, user });
    },
  };
}

function administrationOver(database: FakeDatabase): OfWorkspace<Omit<AdministrationStore, 'findToken'>> {
  const { rows } = database;
  const tokens = () => rows.tokens.toReversed().map((token) => ({ ...token, last_used_at: null }));
  return {
    listTokens({ reach, status }, { after, ...page }) {
      const listed = tokens().filter(
        (token) =>
          (reach === undefined ||
            token.user_id === reach.userId ||
            (token.application_key !== null &&
              (reach.applications === 'all' || reach.applications.includes(token.application_key)))) &&
          (status === undefined || tokenEndsAt(token) > status.at === (status.is === 'live')),
      );
      const start = after === undefined ? 0 : listed.findIndex(({ id }) => id === after.id) + 1;
      return findPage(listed, page, (token) => listed.indexOf(token) >= start);
    },
    findTokenOf: (tokenId) => tokens().find(({ id }) => id === tokenId),
    tokensOfUser: (userId) => rows.tokens.toReversed().filter((token) => token.user_id === userId),
    hashKeys() {
      const created = rows.workspace_entries.filter(({ type }) => type === 'hash_key_changed');
      const ids = new Map(
        created.map((row) => [hashKeyCore.parse(parseJsonText(row.core_json)).hash_key_id, row.id] as const),
      );
      return rows.hash_keys.map((key) => ({ ...key, created_at: database.leafOf(ids.get(key.id) ?? '').at }));
    },
    findHashKey: (keyId) => rows.hash_keys.find(({ id }) => id === keyId),
  };
}
