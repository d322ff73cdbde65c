import { describe, expect, it } from '@jest/globals';
import { createFindMembersCommand } from '@answer-evidence/ledger';
import { ACTOR } from '../../verify/fixtures/constants.ts';
import { MemoryLedger } from '../../verify/fixtures/memory-ledger.ts';
import { type Tables } from '../../verify/fixtures/tables.ts';
import { createTablesReader, noWait } from '../fixtures/tables-reader.ts';
import { checkLedger, type LedgerReader } from './index.ts';

/** A log with a member in every state. */
async function openLog(): Promise<{ readonly ledger: MemoryLedger; readonly ids: Readonly<Record<string, string>> }> {
  const ledger = await MemoryLedger.open();
  const ids = {
    plain: await ledger.addMember('plain', 'manager', 'none'),
    linked: await ledger.addMember('linked', 'member'),
    signing: await ledger.addMember('signing', 'manager'),
    disabled: await ledger.addMember('disabled', 'member'),
    removed: await ledger.addMember('removed', 'member'),
  };
  await ledger.changeMember(ids.signing, 'set_password');
  await ledger.changeMember(ids.disabled, { role: 'manager', disabled: true });
  await ledger.issueToken('of the removed', ids.removed);
  await ledger.changeMember(ids.removed, 'set_password');
  await ledger.changeMember(ids.signing, { subject: 'auth0|abc123' });
  await ledger.changeMember(ids.linked, { subject: 'a' });
  await ledger.changeMember(ids.linked, { subject: 'b' });
  await ledger.changeMember(ids.linked, { role: 'manager' });
  await ledger.changeMember(ids.plain, { subject: 'c' });
  await ledger.changeMember(ids.plain, { subject: null });
  await ledger.changeMember(ids.removed, { subject: 'd' });
  await ledger.changeMember(ids.removed, 'remove');
  return { ledger, ids };
}

const { ledger, ids } = await openLog();

async function findingsOf(alter: (tables: Tables) => void, reader: Partial<LedgerReader> = {}) {
  const tables = structuredClone(ledger.tables);
  alter(tables);
  const report = await checkLedger({ ...createTablesReader(ledger.names, tables), ...reader }, noWait);
  return report.findings.map(({ check, object, detail }) => `${check}: ${object}: ${detail}`);
}

describe('the members of a log as the service writes it', () => {
  it('have no finding', async () => {
    expect(await findingsOf(() => undefined)).toEqual([]);
  });

  it('that named none when they were found have no finding, and nobody is found once more', async () => {
    const old = await MemoryLedger.open();
    const access = { role: 'manager', access_json: null, role_source: null } as const;
    const row = { username: 'manager', ...access, created_at: 7, disabled_at: null, removed_at: null };
    const before = [1, 2].map((n) => ({ ...row, username: `manager-${n}`, id: old.draw.id(), version: 0 }));
    old.tables.members.push(...before);
    // A log without any entry about members has nothing that their rows could be compared with.
    expect((await checkLedger(createTablesReader(old.names, old.tables), noWait)).findings).toEqual([]);
    const identities = () => before.map(() => ({ id: old.draw.id(), nonce: old.draw.hex(16) }));
    await old.append(createFindMembersCommand(old.names.workspaceId, identities(), ACTOR));
    expect(old.tables.members.map(({ version }) => version)).toEqual([1, 1]);
    expect((await checkLedger(createTablesReader(old.names, old.tables), noWait)).findings).toEqual([]);
    const again = old.append(createFindMembersCommand(old.names.workspaceId, identities(), ACTOR));
    await expect(again).rejects.toThrow('replayed');
  });
});

describe('a finding names the member', () => {
  it('for every column of every row that is altered, and for every row that is gone', async () => {
    const missed: string[] = [];
    for (const table of ['members', 'member_credentials', 'provider_links'] as const) {
      for (const [n, row] of ledger.tables[table].entries()) {
        const removed = await findingsOf((tables) => void tables[table].splice(n, 1));
        if (removed.length === 0) missed.push(`${table}[${n}] removed`);
        for (const [column, value] of Object.entries(row)) {
          const other = otherOf(value);
          const found = await findingsOf((tables) => void Object.assign(tables[table][n] ?? {}, { [column]: other }));
          if (!found.some((line) => line.startsWith('member: member '))) missed.push(`${table}[${n}].${column}`);
        }
      }
    }
    expect(missed).toEqual([]);
  });

  it('for a member or a way to sign in that no entry made', async () => {
    const id = '00000000-0000-7000-8000-000000000000';
    const found = await findingsOf((tables) => {
      tables.members.push({ ...tables.members[0], id } as Tables['members'][number]);
      tables.member_credentials.push({
        ...tables.member_credentials[0],
        member_id: id,
      } as Tables['member_credentials'][number]);
      tables.provider_links.push({ ...tables.provider_links[0], member_id: id } as Tables['provider_links'][number]);
    });
    expect(found).toEqual([
      `member: member ${id}: no entry added it`,
      `member: member ${id}: no entry says how it signs in`,
      `member: member ${id}: no entry links it to a subject of a provider`,
    ]);
  });

  it('for an old password that was put back with its MAC', async () => {
    const { ledger: other, ids: others } = await openLog();
    const [old] = other.tables.member_credentials.filter(({ member_id: id }) => id === others.signing);
    await other.changeMember(others.signing ?? '', { reset: true });
    await other.changeMember(others.signing ?? '', 'set_password');
    expect((await checkLedger(createTablesReader(other.names, other.tables), noWait)).findings).toEqual([]);
    other.tables.member_credentials = other.tables.member_credentials.map((row) =>
      row.member_id === others.signing && old !== undefined ? old : row,
    );
    const { findings } = await checkLedger(createTablesReader(other.names, other.tables), noWait);
    expect(findings.map(({ object, detail }) => [object, detail.split(':')[0]])).toEqual([
      [`member ${others.signing}`, 'the entry of its password or link does not have the expected value'],
    ]);
  });

  it('for an old provider link that was put back with its MAC', async () => {
    const { ledger: other, ids: others } = await openLog();
    const old = other.tables.provider_links.find(({ member_id: id }) => id === others.signing);
    await other.changeMember(others.signing ?? '', { subject: 'another' });
    other.tables.provider_links = other.tables.provider_links.map((row) =>
      row.member_id === others.signing && old !== undefined ? old : row,
    );
    const { findings } = await checkLedger(createTablesReader(other.names, other.tables), noWait);
    expect(findings.map(({ object, detail }) => [object, detail.split(':')[0]])).toEqual([
      [`member ${others.signing}`, 'the entry of its provider link does not have the expected value'],
    ]);
  });

  it('for members who were made unknown so that they would be found once more', async () => {
    const { ledger: other } = await openLog();
    other.tables.members = other.tables.members.map((row) => ({ ...row, role: 'manager', version: 0 }));
    const identities = other.tables.members.map(() => ({ id: other.draw.id(), nonce: other.draw.hex(16) }));
    await other.append(createFindMembersCommand(other.names.workspaceId, identities, ACTOR));
    const { findings } = await checkLedger(createTablesReader(other.names, other.tables), noWait);
    expect(findings.filter(({ check }) => check === 'workspace_entry')).toHaveLength(identities.length);
  });
});

describe('members that cannot be read', () => {
  it.each(['members', 'credentials', 'isCredentialMacValid', 'providerLinks', 'isProviderLinkMacValid'] as const)(
    'are a finding: %s',
    async (part) => {
      const found = await findingsOf(() => undefined, { [part]: () => Promise.reject(new TypeError('secret')) });
      expect(found.join()).toContain('member: ');
      expect(found.join()).not.toContain('secret');
    },
  );
});

it('has every kind of member, so that what is said above says something', () => {
  expect(Object.keys(ids)).toHaveLength(ledger.tables.members.length);
  expect(ledger.tables.member_credentials.map((row) => row.password_hash === null).sort()).toEqual([false, true, true]);
  expect(ledger.tables.tokens.map((row) => row.revoked_at === null)).toEqual([false]);
});

function otherOf(value: unknown): unknown {
  if (value instanceof Uint8Array) return value.map((byte, n) => (n === 0 ? byte ^ 1 : byte));
  if (typeof value === 'string') return value.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  return typeof value === 'number' ? value + 1 : 5;
}
