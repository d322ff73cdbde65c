import type pg from 'pg';
import { DEVICE_POLL_SECONDS, DEVICE_POLL_SECONDS_MAX } from '@answer-evidence/contracts';
import { equalSecrets, sha256 } from '@answer-evidence/digest';
import { formatHex, MICROS_PER_SECOND, parseJsonText, utf8 } from '@answer-evidence/encoding';
import {
  type DeviceDecision,
  type DeviceLoginRow,
  type DeviceLoginStore,
  type MasterVault,
  VaultError,
} from '@answer-evidence/ports';
import { constraintOf, sqlState } from '../failures.ts';
import { type Query, readInstallation, writeInstallation } from '../session.ts';

const USER_KEY = 'device_logins_user_key_key';
/** A clock of the network: a question that comes this much early is not too soon. */
const EARLY_MICROS = 500_000;

type Row = {
  readonly key: Uint8Array;
  readonly user_key: Uint8Array;
  readonly workspace_id: string | null;
  readonly details: Uint8Array;
  readonly expires_at: number;
  readonly status: 'pending' | 'approved' | 'denied';
  readonly member_id: string | null;
  readonly credential_entry_id: string | null;
  readonly token_id: string | null;
  readonly mac: Uint8Array;
};
type Unsigned = Omit<Row, 'mac'>;

const COLUMNS = [
  ...['key', 'user_key', 'workspace_id', 'details', 'expires_at', 'status'],
  ...['member_id', 'credential_entry_id', 'token_id', 'mac'],
];
const columnsOf = (alias: string) => COLUMNS.map((column) => `${alias}.${column}`).join(', ');

/**
 * Has those go that are too many beside the one of key $1: the oldest of its address, then, for its workspace, the
 * oldest of the addresses with the most. What another transaction removes at the same time is left to it.
 */
const BOUND = `with own as (select key, address_key, workspace_id from answer_evidence.device_logins where key = $1),
  of_address as (
    select d.key, row_number() over (order by d.key = $1 desc, d.expires_at desc, d.key) as place
      from answer_evidence.device_logins d join own on d.address_key = own.address_key where d.status <> 'approved'),
  of_workspace as (
    select d.key, d.expires_at,
        row_number() over (partition by d.address_key order by d.key = $1 desc, d.expires_at desc, d.key) as depth
      from answer_evidence.device_logins d join own on d.workspace_id is not distinct from own.workspace_id
      where d.status <> 'approved'),
  too_many as (
    select key from of_address where place > $2
    union
    (select key from of_workspace order by key = $1 desc, depth, expires_at desc, key offset $3))
  delete from answer_evidence.device_logins where key in (
    select d.key from answer_evidence.device_logins d where d.key in (select key from too_many) for update skip locked)`;

/** Sign-ins of devices on PostgreSQL. */
export function createDeviceLoginStore(
  pool: pg.Pool,
  vault: Pick<MasterVault, 'mac' | 'wrap' | 'unwrap'>,
): DeviceLoginStore {
  const keyOf = (deviceSecret: Uint8Array) => sha256(deviceSecret);
  const userKeyOf = (userCode: string) => vault.mac('device_login_user_code', [userCode]);
  const addressKeyOf = (address: string) => vault.mac('device_login_address', [address]);
  const macOf = (row: Unsigned) =>
    vault.mac('device_logins', [
      ...[row.key, row.user_key, row.workspace_id ?? '', row.details, row.expires_at, row.status],
      ...[row.member_id ?? '', row.credential_entry_id ?? '', row.token_id ?? ''],
    ]);

  /** What a row says; undefined for one that nobody wrote who has the secrets. */
  function read(
    row: Row,
  ): { readonly login: DeviceLoginRow; readonly decision: DeviceDecision | undefined } | undefined {
    if (!equalSecrets(row.mac, macOf(row))) return undefined;
    try {
      const details = new TextDecoder().decode(vault.unwrap(labelOf(row.key), row.details));
      const login = parseJsonText(details) as unknown as Omit<DeviceLoginRow, 'workspaceId' | 'expiresAt'>;
      return {
        login: { ...login, workspaceId: row.workspace_id, expiresAt: row.expires_at },
        decision: decisionOf(row),
      };
    } catch (error) {
      if (error instanceof VaultError) return undefined;
      throw error;
    }
  }

  async function findRow(query: Query, workspaceId: string, userCode: string, now: number, lock: string) {
    const [row] = await query<Row>(
      `device_login_by_user_code${lock === '' ? '' : '_locked'}`,
      `select ${columnsOf('d')} from answer_evidence.device_logins d
         where d.user_key = $1 and d.workspace_id = $2 and d.status = 'pending' and d.expires_at > $3 ${lock}`,
      [userKeyOf(userCode), workspaceId, now],
    );
    return row === undefined || read(row) === undefined ? undefined : row;
  }

  return {
    async add(deviceSecret, userCode, login, max) {
      const { workspaceId, expiresAt, ...details } = login;
      const key = keyOf(deviceSecret);
      const row: Unsigned = {
        key,
        user_key: userKeyOf(userCode),
        workspace_id: workspaceId,
        details: vault.wrap(labelOf(key), utf8(JSON.stringify(details))),
        expires_at: expiresAt,
        status: 'pending',
        member_id: null,
        credential_entry_id: null,
        token_id: null,
      };
      try {
        return await writeInstallation(pool, async (query) => {
          await query('forget_device_logins', 'delete from answer_evidence.device_logins where expires_at <= $1', [
            login.requestedAt,
          ]);
          await query(
            'add_device_login',
            `insert into answer_evidence.device_logins
                 (key, user_key, workspace_id, details, expires_at, interval_seconds, status, mac, address_key)
               values ($1, $2, $3, $4, $5, $6, 'pending', $7, $8)`,
            [
              ...[row.key, row.user_key, row.workspace_id, row.details, row.expires_at],
              ...[DEVICE_POLL_SECONDS, macOf(row), addressKeyOf(login.address)],
            ],
          );
          await query('bound_device_logins', BOUND, [row.key, max.address, max.workspace]);
          return 'added' as const;
        });
      } catch (error) {
        if (sqlState(error) === '23505' && constraintOf(error) === USER_KEY) return 'taken';
        throw error;
      }
    },

    async poll(deviceSecret, nowMicros) {
      const [row] = await writeInstallation(pool, (query) =>
        query<Row & { readonly is_too_soon: boolean; readonly interval_seconds: number }>(
          'poll_device_login',
          `with before as (
             select key, polled_at is not null
                 and $2::bigint < polled_at + interval_seconds * ${MICROS_PER_SECOND}::bigint - ${EARLY_MICROS} as is_too_soon
               from answer_evidence.device_logins where key = $1 and expires_at > $2 for update)
           update answer_evidence.device_logins d set polled_at = $2, interval_seconds =
               case when b.is_too_soon then least(d.interval_seconds + ${DEVICE_POLL_SECONDS}, ${DEVICE_POLL_SECONDS_MAX})
                    else d.interval_seconds end
             from before b where d.key = b.key
             returning ${columnsOf('d')}, d.interval_seconds, b.is_too_soon`,
          [keyOf(deviceSecret), nowMicros],
        ),
      );
      const found = row === undefined ? undefined : read(row);
      if (row === undefined || found === undefined) return undefined;
      return { ...found, isTooSoon: row.is_too_soon, intervalSeconds: row.interval_seconds };
    },

    async redeem(deviceSecret) {
      const gone = await writeInstallation(pool, (query) =>
        query(
          'redeem_device_login',
          `delete from answer_evidence.device_logins where key = $1 and status = 'approved' returning key`,
          [keyOf(deviceSecret)],
        ),
      );
      return gone.length > 0;
    },

    async findPending(workspaceId, userCode, nowMicros) {
      const row = await readInstallation(pool, (query) => findRow(query, workspaceId, userCode, nowMicros, ''));
      return row === undefined ? undefined : read(row)?.login;
    },

    decide: (workspaceId, userCode, decision, nowMicros) =>
      writeInstallation(pool, async (query) => {
        const row = await findRow(query, workspaceId, userCode, nowMicros, 'for update');
        if (row === undefined) return false;
        const isApproved = decision.kind === 'approved';
        const decided: Unsigned = {
          ...row,
          status: decision.kind,
          member_id: isApproved ? decision.memberId : null,
          credential_entry_id: isApproved ? decision.credentialEntryId : null,
          token_id: isApproved ? decision.tokenId : null,
        };
        await query(
          'decide_device_login',
          `update answer_evidence.device_logins
             set status = $2, member_id = $3, credential_entry_id = $4, token_id = $5, mac = $6 where key = $1`,
          [
            ...[decided.key, decided.status, decided.member_id, decided.credential_entry_id, decided.token_id],
            macOf(decided),
          ],
        );
        return true;
      }),
  };
}

function labelOf(key: Uint8Array): string {
  return `device-login/${formatHex(key)}`;
}

function decisionOf({ status, member_id, credential_entry_id, token_id }: Row): DeviceDecision | undefined {
  if (status === 'denied') return { kind: 'denied' };
  if (status !== 'approved' || member_id === null || credential_entry_id === null || token_id === null)
    return undefined;
  return { kind: 'approved', memberId: member_id, credentialEntryId: credential_entry_id, tokenId: token_id };
}
