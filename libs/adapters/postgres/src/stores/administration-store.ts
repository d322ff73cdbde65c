import type pg from 'pg';
import { type AccessColumns, accessOf } from '@answer-evidence/ledger';
import type { AdministrationStore, ListedToken } from '@answer-evidence/ports';
import type { HashKeyRow, TokenRow } from '@answer-evidence/tables';
import { countRows } from '../rows/count-rows.ts';
import { readPresentedToken, readRow, readRows, readWorkspace } from '../session.ts';

const TOKEN_COLUMNS =
  'id, kind, name, application_key, scopes_json, user_id, secret_hash, expires_at, created_at, revoked_at, overlap_until, cut_at';

/** As a token is listed: with its last use. */
const LISTED_COLUMNS = `${TOKEN_COLUMNS}, (select u.last_used_at from answer_evidence.token_uses u
  where u.workspace_id = $1 and u.token_id = t.id) as last_used_at`;

/** A token ends when it is cut, when its overlap is over, when it is revoked, or when it expires. */
const LISTED_TOKENS = `from answer_evidence.tokens t
  where workspace_id = $1
    and ($2::uuid is null or user_id = $2 or application_key = any($5::text[]) or ($6 and application_key is not null))
    and ($3::bigint is null
      or (least(expires_at, coalesce(cut_at, overlap_until, revoked_at, expires_at)) > $3) = $4::boolean)`;

type Member = AccessColumns & { readonly id: string; readonly username: string; readonly disabled: boolean };

/** Reads of tokens, members and hash keys. */
export function createAdministrationStore(pool: pg.Pool): AdministrationStore {
  return {
    async findToken(tokenId) {
      const [found, ...others] = await readPresentedToken(pool, tokenId, (query) =>
        query<TokenRow & { workspace_id: string }>(
          'presented_token',
          `select workspace_id, ${TOKEN_COLUMNS} from answer_evidence.tokens where id = $1`,
          [tokenId],
        ),
      );
      // Nothing in the database keeps an id to one workspace. With two, nobody can say whose the token is.
      if (found === undefined || others.length > 0) return undefined;
      const { workspace_id: workspaceId, ...token } = found;
      if (token.user_id === null) return { token, workspaceId, user: undefined };
      const [member] = await readRows<Member>(
        pool,
        'member',
        `select id, username, role, access_json, disabled_at is not null as disabled from answer_evidence.members
             where workspace_id = $1 and id = $2 and removed_at is null`,
        [workspaceId, token.user_id],
      );
      if (member === undefined) return { token, workspaceId, user: undefined };
      const { id, username, disabled } = member;
      return { token, workspaceId, user: { id, username, access: accessOf(member), disabled } };
    },

    listTokens: (workspaceId, { reach, status }, { after, offset, limit }) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const { userId, applications = [] } = reach ?? {};
        const isOfAll = applications === 'all';
        const ofUs = [isOfAll ? [] : applications, isOfAll];
        const asked = [workspaceId, userId ?? null, status?.at ?? null, status?.is === 'live', ...ofUs];
        const [items, counted] = await Promise.all([
          query<ListedToken>(
            'tokens',
            `select ${LISTED_COLUMNS} ${LISTED_TOKENS} and ($7::bigint is null or (created_at, id) < ($7, $8::uuid))
               order by created_at desc, id desc offset $9 limit $10`,
            [...asked, after?.createdAt ?? null, after?.id ?? null, offset, limit],
          ),
          countRows(query, 'tokens_counted', LISTED_TOKENS, asked),
        ]);
        return { items, ...counted };
      }),

    findTokenOf: (workspaceId, tokenId) =>
      readRow<ListedToken>(
        pool,
        'token_of_workspace',
        `select ${LISTED_COLUMNS} from answer_evidence.tokens t where workspace_id = $1 and id = $2`,
        [workspaceId, tokenId],
      ),

    tokensOfUser: (workspaceId, userId) =>
      readRows<TokenRow>(
        pool,
        'tokens_of_user',
        `select ${TOKEN_COLUMNS} from answer_evidence.tokens where workspace_id = $1 and user_id = $2 order by id`,
        [workspaceId, userId],
      ),

    hashKeys: (workspaceId) =>
      readRows<HashKeyRow & { created_at: number }>(
        pool,
        'hash_keys',
        `select k.id, k.wrapped_key, l.at as created_at
             from answer_evidence.hash_keys k
             join answer_evidence.workspace_entries e
               on e.workspace_id = $1 and e.type = 'hash_key_changed' and e.core_json::jsonb ->> 'hash_key_id' = k.id
             join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.subject = $1 and l.id = e.id
             where k.workspace_id = $1 order by l.at`,
        [workspaceId],
      ),

    findHashKey: (workspaceId, keyId) =>
      readRow<HashKeyRow>(
        pool,
        'hash_key',
        'select id, wrapped_key from answer_evidence.hash_keys where workspace_id = $1 and id = $2',
        [workspaceId, keyId],
      ),
  };
}
