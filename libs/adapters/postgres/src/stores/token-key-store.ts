import type pg from 'pg';
import type { MasterVault, TokenKeyStore } from '@answer-evidence/ports';
import { TOKEN_KEYS, type TokenKeyRow } from '@answer-evidence/tables';
import { countOne } from '../installation.ts';
import { authenticated, columnsWithMac, withMacs } from '../rows/row-macs.ts';
import { queryOnce, writeInstallation } from '../session.ts';

/** The keys that sign application tokens. */
export function createTokenKeyStore(pool: pg.Pool, vault: Pick<MasterVault, 'mac'>): TokenKeyStore {
  return {
    async list() {
      const { rows } = await queryOnce<TokenKeyRow & { mac: Uint8Array | null }>(pool, {
        name: 'token_signing_keys',
        text: `select ${columnsWithMac(TOKEN_KEYS)} from answer_evidence.token_signing_keys order by generation`,
      });
      return authenticated(vault, TOKEN_KEYS, rows);
    },
    add: (row) =>
      writeInstallation(pool, async (query) => {
        const { table, rows } = withMacs(vault, TOKEN_KEYS, [row]);
        const [sealed] = rows;
        const added = await query<{ kid: string }>(
          'add_token_signing_key',
          `insert into answer_evidence.token_signing_keys (${table.columns.join(', ')})
             values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning kid`,
          table.columns.map((column) => sealed?.[column]),
        );
        if (added.length === 0) return false;
        await countOne(query, vault, 'token_keys');
        return true;
      }),
  };
}
