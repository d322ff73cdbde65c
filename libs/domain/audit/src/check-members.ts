import type { MemberCore } from '@answer-evidence/contracts';
import { canonicalize, formatTimestamp } from '@answer-evidence/encoding';
import type { CredentialRow, MemberRow, ProviderLinkRow } from '@answer-evidence/tables';
import { assertSame, CheckFailure } from '@answer-evidence/verify/verdict';
import type { Findings } from './findings.ts';
import type { MemberReader } from './ledger-reader.ts';
import type { MemberSeries, StatedCredential, StatedProvider } from './member-series.ts';

/**
 * Compares the stored members with those of the log, in both directions, and also how they sign in. A log that names no
 * member was written by a release without such entries; then there is nothing to compare.
 */
export async function checkMembers(reader: MemberReader, series: MemberSeries, findings: Findings): Promise<void> {
  const whole = { check: 'member', object: 'members', leafIndex: null };
  const rows = (await findings.guard(whole, () => reader.members())) ?? [];
  const credentials = (await findings.guard(whole, () => reader.credentials())) ?? [];
  const links = (await findings.guard(whole, () => reader.providerLinks())) ?? [];
  const stored = new Map(rows.map((row) => [row.id, row]));
  const signIns = new Map(credentials.map((row) => [row.member_id, row]));
  const providers = new Map(links.map((row) => [row.member_id, row]));
  for (const [id, { core, leafIndex, credential, provider }] of series.members) {
    const row = stored.get(id);
    const signIn = signIns.get(id);
    stored.delete(id);
    signIns.delete(id);
    const link = providers.get(id);
    providers.delete(id);
    await findings.guard(placeOf(id, leafIndex), () => {
      if (row === undefined) throw new CheckFailure('its row is missing');
      assertSame('its columns', canonicalize(statedOf(core)), canonicalize(columnsOf(row)));
    });
    await findings.guard(placeOf(id, leafIndex), () => checkCredential(reader, credential, signIn));
    await findings.guard(placeOf(id, leafIndex), () => checkProvider(reader, provider, link));
  }
  if (series.members.size > 0) {
    for (const id of stored.keys()) findings.add(placeOf(id, null), 'no entry added it');
  }
  for (const id of signIns.keys()) findings.add(placeOf(id, null), 'no entry says how it signs in');
  for (const id of providers.keys()) findings.add(placeOf(id, null), 'no entry links it to a subject of a provider');
}

async function checkCredential(
  reader: MemberReader,
  stated: StatedCredential | undefined,
  row: CredentialRow | undefined,
): Promise<void> {
  if (stated === undefined) {
    if (row !== undefined) throw new CheckFailure('no entry says how it signs in');
    return;
  }
  if (row === undefined) throw new CheckFailure('the row that says how it signs in is missing');
  assertSame('the entry of its password or link', stated.entryId, row.entry_id);
  assertSame('how it signs in', stated.kind, row.password_hash === null ? 'link' : 'password');
  if (!(await reader.isCredentialMacValid(row))) throw new CheckFailure('the MAC of its password or link is invalid');
}

async function checkProvider(
  reader: MemberReader,
  stated: StatedProvider | undefined,
  row: ProviderLinkRow | undefined,
): Promise<void> {
  if (stated === undefined) {
    if (row !== undefined) throw new CheckFailure('no entry links it to a subject of a provider');
    return;
  }
  if (row === undefined) throw new CheckFailure('the row that links it to a subject of a provider is missing');
  assertSame('the entry of its provider link', stated.entryId, row.entry_id);
  assertSame('the issuer that it is linked to', stated.issuer, row.issuer);
  assertSame('the subject that it is linked to', stated.subject, row.subject);
  if (!(await reader.isProviderLinkMacValid(row))) throw new CheckFailure('the MAC of its provider link is invalid');
}

function statedOf(core: MemberCore) {
  const { username, role, access, role_source = null, created_at, disabled_at, removed_at, version } = core;
  const access_json = access === undefined ? null : canonicalize(access);
  return { username, role, access_json, role_source, created_at, disabled_at, removed_at, version };
}

function columnsOf(row: MemberRow) {
  const { username, role, access_json, role_source, version } = row;
  const time = (micros: number | null) => (micros === null ? null : formatTimestamp(micros));
  return {
    username,
    role,
    access_json,
    role_source,
    created_at: formatTimestamp(row.created_at),
    disabled_at: time(row.disabled_at),
    removed_at: time(row.removed_at),
    version,
  };
}

function placeOf(id: string, leafIndex: number | null) {
  return { check: 'member', object: `member ${id}`, leafIndex };
}
