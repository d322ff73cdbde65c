import { canonicalize, formatHex, formatTimestamp, MICROS_PER_SECOND } from '@answer-evidence/encoding';
import type { TokenRow } from '@answer-evidence/tables';
import { assertSame, CheckFailure } from '@answer-evidence/verify/verdict';
import type { WorkspaceStatements } from './check-workspace-entries.ts';
import type { Findings } from './findings.ts';
import type { TokenReader } from './ledger-reader.ts';

/**
 * Compares the tokens that were issued or revoked in a period with the entries of that period, in both directions. Each
 * time column equals the time of its entry, so periods that cover all time find every token, with constant memory.
 */
export async function checkTokens(
  reader: TokenReader,
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
      if (row === undefined) throw new CheckFailure('it was issued, but its row is missing or has another created_at');
      assertSame('its created_at', formatTimestamp(leaf.at), formatTimestamp(row.created_at));
      assertSame('its columns', canonicalize(statedOf(core)), canonicalize(columnsOf(row)));
      assertEndIsWhole(row);
    });
  }
  for (const id of rows.keys()) findings.add(placeOf(id, null), 'no entry issued it');

  const ended = (await findings.guard(whole, () => reader.tokensRevoked(from, to))) ?? [];
  const rowsById = new Map(ended.map((row) => [row.id, row]));
  const isWithin = (at: number | null): boolean => at !== null && at >= from && at < to;
  // A rotated token can be ended twice: by its rotation, and by being cut off before its overlap is over.
  const revoked = new Set(ended.filter((row) => isWithin(row.revoked_at)).map(({ id }) => id));
  const cut = new Set(ended.filter((row) => isWithin(row.cut_at)).map(({ id }) => id));
  for (const { core, leaf } of statements.revoked) {
    const place = placeOf(core.token_id, leaf.leaf_index);
    const row = rowsById.get(core.token_id);
    if (row?.revoked_at === leaf.at) {
      revoked.delete(row.id);
      await findings.guard(place, () => {
        const stated = core.overlap_seconds === undefined ? null : leaf.at + core.overlap_seconds * MICROS_PER_SECOND;
        assertSame('its overlap_until', String(stated), String(row.overlap_until));
      });
    } else if (row?.cut_at === leaf.at && core.overlap_seconds === undefined) cut.delete(row.id);
    else findings.add(place, 'it was revoked, but its row is not marked as revoked');
  }
  for (const id of revoked) findings.add(placeOf(id, null), 'no entry revoked it');
  for (const id of cut) findings.add(placeOf(id, null), 'no entry cut it off');
}

/** Of a token that is not revoked there is no end that an entry could be found for, so its columns must be empty. */
function assertEndIsWhole({ revoked_at: revokedAt, overlap_until: overlapUntil, cut_at: cutAt }: TokenRow): void {
  const times = [revokedAt, overlapUntil, cutAt];
  if (!times.every((at) => at === null || Number.isSafeInteger(at)))
    throw new CheckFailure('its end is not a valid time');
  if ((revokedAt === null && overlapUntil !== null) || (overlapUntil === null && cutAt !== null))
    throw new CheckFailure('it has an end without a revocation');
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
