import { describe, expect, it } from '@jest/globals';
import { type LedgerCheckReport, ServiceError } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import { HeadError, StoredDamageError } from '@answer-evidence/ports';
import { createFakeHeadFiles } from '@answer-evidence/testing';
import { createRecord, openTrust, type TrustTest } from '../fixtures/trust.ts';
import { checkWholeLedger, type WholeLedgerDeps } from './check-whole-ledger.ts';

const STORED: LedgerCheckReport = {
  origin: 'log.example/acme/1',
  tree_size: 3,
  root_hash: '0'.repeat(64),
  entries_checked: 3,
  outcome: 'PASS',
  findings_total: 0,
  findings: [],
};

type Said = readonly [code: string, words: string];

/** What is reported of a log beside what is stored of it. */
async function check(
  { workspace, ...stage }: Pick<TrustTest, 'workspace' | 'logs' | 'headStore'>,
  more: Partial<WholeLedgerDeps> = {},
): Promise<LedgerCheckReport & { said: readonly Said[] }> {
  const said: Said[] = [];
  const deps = { ...stage, checkStored: () => Promise.resolve(STORED), ...more };
  const report = await checkWholeLedger(deps, workspace, ({ code, detail, where }) => {
    said.push([code, detail + where]);
    return detail;
  });
  return { ...report, said };
}

async function createKept() {
  const stage = await openTrust();
  await createRecord(stage);
  await stage.heads.keep(stage.workspace);
  return stage;
}

describe('checkWholeLedger', () => {
  it('adds nothing to the report of a log that holds its head', async () => {
    expect(await check(await createKept())).toEqual({ ...STORED, said: [] });
  });

  it('names every two heads of one size and every claim that stands, and tells no place to tenants', async () => {
    const stage = await createKept();
    const { workspace, headStore, logs } = stage;
    const kept = await headStore.find(workspace.id);
    if (kept === undefined) throw new Error('a head is kept');
    await expect(headStore.keep({ ...kept, rootHash: 'f'.repeat(64) })).rejects.toThrow(HeadError);
    const claim = { workspaceId: workspace.id, origin: workspace.origin, heldSize: 4, seenAt: undefined };
    await headStore.dispute({ ...claim, party: 'the witness w1', treeSize: 9, rootHash: undefined });
    const seenAt = '/data/anchors/x.jsonl';
    await headStore.dispute({ ...claim, party: 'the anchor "a"', treeSize: 8, rootHash: 'e'.repeat(64), seenAt });
    const met = { treeSize: 4, rootHash: formatHex((await logs.snapshot(workspace.id)).root) };
    await headStore.dispute({ ...claim, party: 'the anchor "b"', ...met });
    const report = await check(stage);
    expect([report.outcome, report.findings_total]).toEqual(['FAIL', 4]);
    expect(report.findings.map(({ check: name }) => name)).toEqual(Array(4).fill('outside_head'));
    const details = report.findings.map(({ detail }) => detail).sort();
    expect(details).toEqual([
      `the ledger of "${workspace.slug}" differs from the one signed at size 4`,
      `the ledger of "${workspace.slug}" was rolled back: the anchor "a" has seen 8 entries, but the database held 4`,
      `the ledger of "${workspace.slug}" was rolled back: the witness w1 has seen 9 entries, but the database held 4`,
      `the log ${workspace.origin} has 2 roots at size 4`,
    ]);
    const said = report.said.map(([code, words]) => `${code} ${words}`).join('\n');
    expect(said).toMatch(/log_refused .* has 2 roots at size 4: memory\/\S+ and memory\/\S+/);
    expect(said).toMatch(/log_disputed .* held 4 \(seen at \/data\/anchors\/x.jsonl, kept as memory\/\S+\)/);
  });

  it('says that there was no head to compare with, and that one could not be read', async () => {
    const missing = await openTrust({ files: createFakeHeadFiles() });
    await createRecord(missing);
    const words = `the ledger of "${missing.workspace.slug}" holds 4 entries, but no head of it is kept`;
    expect(await check(missing)).toMatchObject({
      outcome: 'FAIL',
      findings_total: 1,
      findings: [{ detail: words }],
      said: [['head_missing', `${words} in memory`]],
    });
    const stage = await createKept();
    const find = () => Promise.reject(new HeadError('place_unavailable', 'the bucket at /x does not respond'));
    expect(await check(stage, { headStore: { ...stage.headStore, find } })).toMatchObject({
      outcome: 'FAIL',
      findings: [{ detail: 'nothing was compared with the head kept outside: it cannot be read' }],
      said: [['place_unavailable', expect.stringContaining('the bucket at /x does not respond')]],
    });
  });

  it('keeps what is stored of a damaged log in the report, and leaves other failures to its caller', async () => {
    const stage = await createKept();
    const fail = (error: Error) => ({ logs: { ...stage.logs, snapshot: () => Promise.reject(error) } });
    const damaged = new ServiceError('ledger_unavailable', 'the head is damaged', { remedy: 'stop-process' });
    const stored: LedgerCheckReport = {
      ...STORED,
      outcome: 'FAIL',
      findings_total: 1,
      findings: [{ check: 'head', object: 'the head', leaf_index: null, detail: 'its MAC is wrong' }],
    };
    const report = await check(stage, { ...fail(damaged), checkStored: () => Promise.resolve(stored) });
    expect(report.findings.map(({ check: name }) => name)).toEqual(['head', 'outside_head']);
    expect(report.findings_total).toBe(2);
    const lost = new StoredDamageError('hashes are missing at tile level 0');
    expect(
      (await check(stage, { ...fail(lost), checkStored: () => Promise.resolve(stored) })).findings[1],
    ).toMatchObject({ check: 'outside_head', detail: expect.stringContaining(lost.message) });
    const away = new ServiceError('ledger_unavailable', 'the database is unavailable', { remedy: 'retry' });
    await expect(check(stage, fail(away))).rejects.toBe(away);
  });
});
