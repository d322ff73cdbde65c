import type pg from 'pg';
import type { ConsoleSession, ConsoleSessionStore } from '@answer-evidence/ports';
import { readRow, readRows, writeRows, writeWorkspace } from '../session.ts';

const SELECT = `select key, member_id as "memberId", token_id as "tokenId", salt, role,
    credential_entry_id as "credentialEntryId", expires_at as "expiresAt", used_at as "usedAt"
  from answer_evidence.console_sessions`;

/** Sessions of browsers on PostgreSQL. */
export function createConsoleSessionStore(pool: pg.Pool): ConsoleSessionStore {
  return {
    add: (workspaceId, session, nowMicros, usedBefore) =>
      writeWorkspace(pool, workspaceId, async (query) => {
        await query(
          'forget_console_sessions',
          `delete from answer_evidence.console_sessions
             where workspace_id = $1 and (expires_at <= $2 or used_at < $3)`,
          [workspaceId, nowMicros, usedBefore],
        );
        const { key, memberId, tokenId, salt, role, credentialEntryId, expiresAt, usedAt } = session;
        await query(
          'add_console_session',
          `insert into answer_evidence.console_sessions
               (workspace_id, key, member_id, token_id, salt, role, credential_entry_id, expires_at, used_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
          [workspaceId, key, memberId, tokenId, salt, role, credentialEntryId, expiresAt, usedAt],
        );
      }),
    find: (workspaceId, key) =>
      readRow<ConsoleSession>(pool, 'console_session', `${SELECT} where workspace_id = $1 and key = $2`, [
        workspaceId,
        key,
      ]),
    ofMember: (workspaceId, memberId) =>
      readRows<ConsoleSession>(
        pool,
        'console_sessions_of_member',
        `${SELECT} where workspace_id = $1 and member_id = $2 order by expires_at`,
        [workspaceId, memberId],
      ),
    noteUse: (workspaceId, key, usedAt) =>
      writeRows(
        pool,
        'note_console_session',
        `update answer_evidence.console_sessions set used_at = greatest(used_at, $3)
           where workspace_id = $1 and key = $2`,
        [workspaceId, key, usedAt],
      ),
    remove: (workspaceId, keys) =>
      writeRows(
        pool,
        'remove_console_sessions',
        'delete from answer_evidence.console_sessions where workspace_id = $1 and key = any($2::bytea[])',
        [workspaceId, keys],
      ),
  };
}
