import type { TokenRow } from '@answer-evidence/contracts';
import { canonicalize, formatHex, formatTimestamp } from '@answer-evidence/encoding';
import { assertSame, CheckFailure } from '../verdict.ts';
import type { WorkspaceStatements } from './check-workspace-entries.ts';
import type { Findings } from './findings.ts';
import type { LedgerReader } from './ledger-reader.ts';

/**
 * The tokens that were made or revoked in a stretch of time against the entries of that stretch, both ways. Each column of
 * time equals the time of its entry, so stretches that cover all time find every token with constant memory.
 */
export async function checkTokens(
  reader: LedgerReader,
  statements: Pick<WorkspaceStatements, 'issued' | 'revoked'>,
  from: number,
  to: number,
  findings: Findings,
): Promise<void> {
  const whole = { check: 'token', object: 'tokens', leafIndex: null };
  const created = (await findings.guard(whole, () => reader.tokensCreated(from, to))) ?? [];
  const rows = new Map(created.map((row) => [row.id, row]));
  for (const { core, leaf } of statements.issued) {
    const row = rows.get(core.token_id);
    rows.delete(core.token_id);
    await findings.guard(placeOf(core.token_id, leaf.leaf_index), () => {
      if (row === undefined) throw new CheckFailure('it was issued and its row is missing, or has another created_at');
      assertSame('its created_at', formatTimestamp(leaf.at), formatTimestamp(row.created_at));
      assertSame('its columns', canonicalize(statedOf(core)), canonicalize(columnsOf(row)));
    });
  }
  for (const id of rows.keys()) findings.add(placeOf(id, null), 'no entry issued it');

  const ended = (await findings.guard(whole, () => reader.tokensRevoked(from, to))) ?? [];
  const revoked = new Map(ended.map((row) => [row.id, row]));
  for (const { core, leaf } of statements.revoked) {
    const row = revoked.get(core.token_id);
    revoked.delete(core.token_id);
    if (row?.revoked_at !== leaf.at) {
      findings.add(placeOf(core.token_id, leaf.leaf_index), 'it was revoked, and its row does not say so');
    }
  }
  for (const id of revoked.keys()) findings.add(placeOf(id, null), 'no entry revoked it');
}

function statedOf(core: WorkspaceStatements['issued'][number]['core']) {
  const { kind, name, application_key, user_id, secret_hash, expires_at } = core;
  return { kind, name, application_key, scopes: canonicalize(core.scopes), user_id, secret_hash, expires_at };
}

function columnsOf(row: TokenRow) {
  const { kind, name, application_key, user_id } = row;
  const secretHash = row.secret_hash === null ? null : `sha256:${formatHex(row.secret_hash)}`;
  const expiresAt = formatTimestamp(row.expires_at);
  return {
    kind,
    name,
    application_key,
    scopes: row.scopes_json,
    user_id,
    secret_hash: secretHash,
    expires_at: expiresAt,
  };
}

function placeOf(id: string, leafIndex: number | null) {
  return { check: 'token', object: `token ${id}`, leafIndex };
}
