import { systemClock, systemRandom } from '@answer-evidence/node-crypto';
import { createApplicationTokens, thumbprintOf } from '@answer-evidence/jose-tokens';
import type { ApplicationTokens, MasterVault } from '@answer-evidence/ports';
import type pg from 'pg';

const ISSUER = 'urn:answer-evidence';
const SEED_BYTES = 32;

function label(kid: string): string {
  return `token-signing-key/${kid}`;
}

/** Signs and checks application JWTs with the installation's keys, newest first; makes the first one. */
export async function openApplicationTokens(pool: pg.Pool, vault: MasterVault): Promise<ApplicationTokens> {
  const { rows } = await pool.query<{ kid: string; wrapped_seed: Uint8Array }>(
    'select kid, wrapped_seed from answer_evidence.token_signing_keys order by created_at desc, kid',
  );
  if (rows.length === 0) {
    const seed = systemRandom.bytes(SEED_BYTES);
    const kid = await thumbprintOf(seed);
    await pool.query(
      `insert into answer_evidence.token_signing_keys (kid, generation, wrapped_seed, created_at, signs_from)
         values ($1, 1, $2, $3, $3) on conflict do nothing`,
      [kid, vault.wrap(label(kid), seed), systemClock.nowMicros()],
    );
    return openApplicationTokens(pool, vault);
  }
  const keys = rows.map((row) => ({ kid: row.kid, seed: vault.unwrap(label(row.kid), row.wrapped_seed) }));
  return createApplicationTokens({ issuer: ISSUER, keys });
}
