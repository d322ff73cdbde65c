import type pg from 'pg';
import type { TokenKeyRow, TokenKeyStore } from '@answer-evidence/ports';
import { readInstallation } from '../session.ts';

/** The keys that sign application tokens. */
export function createTokenKeyStore(pool: pg.Pool): TokenKeyStore {
  return {
    list: () =>
      readInstallation(pool, (query) =>
        query<TokenKeyRow>(
          'token_signing_keys',
          `select kid, generation, wrapped_seed, created_at, signs_from from answer_evidence.token_signing_keys
             order by generation`,
          [],
        ),
      ),
    async add(row) {
      const { rowCount } = await pool.query(
        `insert into answer_evidence.token_signing_keys (kid, generation, wrapped_seed, created_at, signs_from)
           values ($1, $2, $3, $4, $5) on conflict do nothing`,
        [row.kid, row.generation, row.wrapped_seed, row.created_at, row.signs_from],
      );
      return rowCount === 1;
    },
  };
}
