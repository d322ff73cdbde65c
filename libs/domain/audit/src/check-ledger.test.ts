import { describe, expect, it } from '@jest/globals';
import { formatEntry } from '@answer-evidence/commitments';
import { leafHash } from '@answer-evidence/merkle';
import { MemoryLedger } from '../../verify/fixtures/memory-ledger.ts';
import { createMisnamedLog } from '../../verify/fixtures/misnamed-log.ts';
import { macOf, type Tables } from '../../verify/fixtures/tables.ts';
import { createWorkedLog } from '../../verify/fixtures/worked-log.ts';
import { createTablesReader, noWait } from '../fixtures/tables-reader.ts';
import {
  type Attestation,
  type AttestationCounts,
  checkLedger,
  FINDINGS_LISTED_MAX,
  type LedgerReader,
} from './index.ts';

const { ledger, correctedId, redactedId, plainId, expiredId } = await createWorkedLog();

async function check(alter: (tables: Tables) => void, reader: Partial<LedgerReader> = {}) {
  const tables = structuredClone(ledger.tables);
  alter(tables);
  return checkLedger({ ...createTablesReader(ledger.names, tables), ...reader }, noWait);
}

async function objectsOf(alter: (tables: Tables) => void): Promise<readonly string[]> {
  const { findings } = await check(alter);
  return findings.map((finding) => `${finding.check}: ${finding.object}`);
}

/** What a state repeats of its record. */
const LISTED = { leaf_index: 0, application_key: 'a', environment: 'e', mode: null, actor_id_hash: null };

describe('a finding names its object', () => {
  it('for a record that is missing, and for what then hangs on nothing the check still runs', async () => {
    const objects = await objectsOf((tables) => {
      tables.answer_records = tables.answer_records.filter((row) => row.id !== correctedId);
    });
    expect(objects).toContain(`record: record ${correctedId}`);
  });

  it.each([
    ['a record', plainId, `record: record ${plainId}`],
    ['the workspace', ledger.names.workspaceId, 'leaf: leaf '],
    ['the log', ledger.tables.ledger_leaves[0]?.subject ?? '', 'leaf: leaf '],
  ])('for an asset of the id of %s', async (_, subject, named) => {
    const { findings } = await check((tables) => {
      const last = tables.ledger_leaves.findLast(({ type }) => type === 'trace_attached');
      if (last === undefined) throw new Error('the fixture has no such leaf');
      tables.ledger_leaves = tables.ledger_leaves.map((leaf) =>
        leaf === last ? { ...leaf, type: 'evidence_registered', subject } : leaf,
      );
    });
    const found = findings.map(({ check: name, object, detail }) => `${name}: ${object}: ${detail}`);
    expect(found.filter((line) => /has its id as the subject|subject is the id of/.test(line))).toEqual([
      expect.stringContaining(named),
    ]);
  });

  it('for a status that says recorded, that another status stands for, or that no record has', async () => {
    const recorded = await objectsOf((tables) =>
      tables.record_states.push({ ...LISTED, record_id: plainId, status: 'recorded' }),
    );
    expect(recorded).toEqual([`status: record ${plainId}`]);
    const unknown = '00000000-0000-7000-8000-000000000000';
    const orphan = await objectsOf((tables) =>
      tables.record_states.push({ ...LISTED, record_id: unknown, status: 'voided' }),
    );
    expect(orphan).toEqual([`orphan: status ${unknown}`]);
  });

  it.each(Object.keys(LISTED) as (keyof typeof LISTED)[])(
    'for a status whose %s is not its record’s',
    async (column) => {
      const objects = await objectsOf((tables) => {
        tables.record_states = tables.record_states.map((row) =>
          row.record_id === correctedId ? { ...row, [column]: column === 'leaf_index' ? 1_000 : 'another' } : row,
        );
      });
      expect(objects).toEqual([`status: record ${correctedId}`]);
    },
  );

  it('for texts that were kept although the record was redacted', async () => {
    const { ledger: before } = await createWorkedLog();
    const kept = before.tables.sealed_contents.find((row) => row.object_id === correctedId);
    if (kept === undefined) throw new Error('the fixture has contents');
    const objects = await objectsOf((tables) => {
      tables.sealed_contents = tables.sealed_contents.filter((row) => row.object_id !== redactedId);
      tables.sealed_contents.push({ ...kept, object_id: redactedId });
    });
    expect(objects).toEqual([`sealed: record ${redactedId}`]);
  });

  it('for a reason that was kept although a later redaction names its event, and for one that no redaction names', async () => {
    const own = await MemoryLedger.open();
    const recordId = await own.record({});
    const event = await own.event(recordId, { type: 'retention_extended', reason: 'a customer called' });
    const kept = own.tables.sealed_contents.find((row) => row.object_id === event);
    if (kept === undefined) throw new Error('the reason is stored');
    const last = await own.event(recordId, {
      type: 'redacted',
      reason: 'by order',
      known: { redact_event_ids: [event] },
    });
    const found = async (tables: Tables) => (await checkLedger(createTablesReader(own.names, tables), noWait)).findings;
    const { sealed_contents: sealed } = own.tables;
    expect(await found(own.tables)).toEqual([]);
    expect(await found({ ...own.tables, sealed_contents: [...sealed, kept] })).toMatchObject([
      { object: `event ${event}`, detail: 'reason is stored and should not be' },
    ]);
    const without = sealed.filter((row) => row.object_id !== last);
    expect(await found({ ...own.tables, sealed_contents: without })).toMatchObject([
      { object: `event ${last}`, detail: 'reason is missing' },
    ]);
  });

  it.each(['itself', 'a later event', 'an event of another record'] as const)(
    'for a redaction that names %s',
    async (named) => {
      const { ledger: own, redactionId } = await createMisnamedLog(named);
      const { findings } = await checkLedger(createTablesReader(own.names, own.tables), noWait);
      expect(findings).toMatchObject([
        { object: `event ${redactionId}`, detail: 'it redacts an event that is not an earlier one of the record' },
      ]);
    },
  );

  it('for texts that were kept although they expired, and for those that would be kept past their retention', async () => {
    const [expiry] = ledger.tables.text_expiries;
    if (expiry === undefined) throw new Error('the fixture has an expiry');
    const end = expiry.retained_until;
    const late = (row: Tables['sealed_contents'][number], dueAt: number) => ({ ...row, due_at: dueAt });
    const voidedId = ledger.tables.lifecycle_events.findLast((row) => row.record_id === expiredId)?.id;
    expect(
      await objectsOf((tables) => {
        tables.sealed_contents = tables.sealed_contents.map((row) =>
          row.object_id === voidedId ? late(row, end + 1) : row,
        );
      }),
    ).toEqual([`sealed: event ${voidedId}`]);
    expect(
      await objectsOf((tables) => {
        tables.sealed_contents = tables.sealed_contents.map((row) =>
          row.object_id === voidedId ? late(row, end) : row,
        );
      }),
    ).toEqual([]);
    const { ledger: before } = await createWorkedLog();
    const kept = before.tables.sealed_contents.find((row) => row.object_id === correctedId);
    if (kept === undefined) throw new Error('the fixture has contents');
    expect(await objectsOf((tables) => tables.sealed_contents.push({ ...kept, object_id: expiredId }))).toEqual([
      `sealed: record ${expiredId}`,
    ]);
  });

  it('for an expiry that came before the retention had passed', async () => {
    const early = await createWorkedLog();
    const until = early.ledger.tables.answer_records.find((row) => row.id === early.keyedId)?.retention_until ?? 0;
    const id = await early.ledger.expire(early.keyedId, until - 365 * 86_400_000_000 + 1_000_000);
    const { findings } = await checkLedger(createTablesReader(early.ledger.names, early.ledger.tables), noWait);
    expect(findings.map(({ check: name, object }) => [name, object])).toEqual([['expiry', `expiry ${id}`]]);
  });

  it('for rows of every table that hang on nothing', async () => {
    const id = '00000000-0000-7000-8000-000000000000';
    const objects = await objectsOf((tables) => {
      tables.answer_records.push({ ...tables.answer_records[0], id } as Tables['answer_records'][number]);
      tables.lifecycle_events.push({
        ...tables.lifecycle_events[0],
        id,
        record_id: id,
      } as Tables['lifecycle_events'][number]);
      tables.text_expiries.push({ ...tables.text_expiries[0], id, record_id: id } as Tables['text_expiries'][number]);
      tables.trace_attachments.push({
        ...tables.trace_attachments[0],
        id,
        record_id: id,
      } as Tables['trace_attachments'][number]);
      tables.sealed_contents.push({
        object_id: id,
        wrapped_key: new Uint8Array(48),
        texts: null,
        items: null,
        due_at: 0,
      });
      tables.workspace_entries.push({ id, type: 'export_made', seq: 0, core_json: '{}' });
      tables.tokens.push({ ...tables.tokens[0], id, created_at: 5, revoked_at: null } as Tables['tokens'][number]);
      tables.hash_keys.push({ id: 'hk_2', wrapped_key: new Uint8Array(32) });
      const key = ['record:nobody', 'k', id, new Uint8Array(32)] as const;
      const [scope, name, object, fingerprint] = key;
      const row = { scope, idempotency_key: name, object_id: object, fingerprint, mac: macOf([...key]) };
      tables.idempotency_keys.push(row);
    });
    expect([...objects].sort()).toEqual(
      [
        `hash_key: hash key hk_2`,
        `orphan: event ${id}`,
        `orphan: expiry ${id}`,
        `orphan: idempotency key ${id}`,
        `orphan: record ${id}`,
        `orphan: sealed ${id}`,
        `orphan: trace ${id}`,
        `orphan: workspace entry ${id}`,
        `token: token ${id}`,
      ].sort(),
    );
  });

  it('for an event that was moved to another record', async () => {
    const event = ledger.tables.lifecycle_events.find((row) => row.record_id === correctedId);
    const objects = await objectsOf((tables) => {
      tables.lifecycle_events = tables.lifecycle_events.map((row) =>
        row.id === event?.id ? { ...row, record_id: plainId } : row,
      );
    });
    expect(objects).toContain(`event: event ${event?.id ?? ''}`);
  });

  it('for a leaf that was rewritten with its hash: the tree above it no longer fits', async () => {
    const objects = await objectsOf((tables) => {
      tables.ledger_leaves = tables.ledger_leaves.map((leaf) => {
        if (leaf.id !== plainId) return leaf;
        const other = { ...leaf, at: leaf.at + 1 };
        return { ...other, leaf_hash: leafHash(formatEntry(other)) };
      });
    });
    const index = ledger.tables.ledger_leaves.findIndex((leaf) => leaf.id === plainId);
    expect(objects).toEqual(expect.arrayContaining(['head: head', `commit: commit ${index + 1}`]));
  });
});

describe('what cannot be read', () => {
  it('is a finding, and the rest is still checked', async () => {
    const fail = () => Promise.reject(new TypeError('secret'));
    async function* broken(): AsyncGenerator<never> {
      yield await fail();
    }
    const parts: readonly Partial<LedgerReader>[] = [
      { head: fail },
      { leaves: broken },
      { tiles: broken },
      { commits: broken },
      { rowsOf: fail },
      { tokensCreated: fail },
      { tokensRevoked: fail },
      { hashKeys: fail },
      { orphans: broken },
      { attestations: broken },
      { attestationCounts: fail },
      { openSealed: fail },
      { recordKey: fail },
      { fingerprintOf: fail },
      { isHeadMacValid: fail },
      { isIdempotencyMacValid: fail },
    ];
    for (const part of parts) {
      const report = await check(() => undefined, part);
      expect(report.outcome).toBe('FAIL');
      expect(JSON.stringify(report)).not.toContain('secret');
    }
  });

  it('is counted in full and listed to a limit', async () => {
    const many = Array.from({ length: FINDINGS_LISTED_MAX + 5 }, (_, i) => ({ kind: 'record' as const, id: `${i}` }));
    async function* orphans() {
      yield await Promise.resolve(many);
    }
    const report = await check(() => undefined, { orphans });
    expect(report.findings_total).toBe(FINDINGS_LISTED_MAX + 5);
    expect(report.findings).toHaveLength(FINDINGS_LISTED_MAX);
  });
});

describe('cosignatures and anchors of the log', () => {
  const rows = [
    { kind: 'checkpoints' as const, name: 'checkpoint 3', isMacValid: true },
    { kind: 'attempts' as const, name: 'attempt 1', isMacValid: true },
  ];
  const stored = { counts: { checkpoints: 1, cosignatures: 0, anchors: 0, attempts: 1 }, isMacValid: true };

  async function findings(stored: readonly Attestation[], counted: AttestationCounts | undefined) {
    async function* attestations() {
      yield await Promise.resolve(stored);
    }
    const report = await check(() => undefined, { attestations, attestationCounts: () => Promise.resolve(counted) });
    return report.findings.map(({ object }) => object);
  }

  it('is as many rows as the counts say, each with its MAC, and nothing else', async () => {
    expect(await findings(rows, stored)).toEqual([]);
    expect(await findings([], undefined)).toEqual([]);
    expect(await findings(rows.slice(1), stored)).toEqual(['checkpoints']);
    expect(await findings([...rows, ...rows.slice(1)], stored)).toEqual(['attempts']);
    expect(await findings(rows, { ...stored, isMacValid: false })).toHaveLength(1);
    expect(await findings(rows, undefined)).toHaveLength(1);
    expect(
      await findings(
        rows.map((row) => ({ ...row, isMacValid: false })),
        stored,
      ),
    ).toEqual(['checkpoint 3', 'attempt 1']);
  });
});

describe('an empty log', () => {
  it('has no genesis, and that is a finding', async () => {
    const report = await check((tables) => {
      for (const name of Object.keys(tables)) Object.assign(tables, { [name]: [] });
    });
    expect(report.findings.map(({ check: name }) => name)).toEqual(['leaf', 'head', 'log_name']);
  });
});

describe('the check takes turns', () => {
  /** How often it asks for one on a log with a record of so many semantic references. */
  async function turnsWith(references: number): Promise<number> {
    const own = await MemoryLedger.open();
    await own.record({ semanticRefs: Array.from({ length: references }, (_, n) => ({ n })) });
    let turns = 0;
    const report = await checkLedger(createTablesReader(own.names, own.tables), () => Promise.resolve(void turns++));
    expect(report.outcome).toBe('PASS');
    return turns;
  }

  it('for each item of a record, so that none holds up others for longer than its largest item', async () => {
    expect((await turnsWith(200)) - (await turnsWith(1))).toBe(199);
  });

  it('for each leaf', async () => {
    let turns = 0;
    const { tree_size: leaves } = await checkLedger(createTablesReader(ledger.names, ledger.tables), () =>
      Promise.resolve(void turns++),
    );
    expect(turns).toBeGreaterThan(3 * leaves);
  });

  it('and does nothing before it has one', async () => {
    const never = checkLedger(
      createTablesReader(ledger.names, ledger.tables),
      () => new Promise<void>(() => undefined),
    );
    const first = await Promise.race([
      never.then(() => 'done'),
      new Promise((resolve) => setImmediate(resolve, 'waits')),
    ]);
    expect(first).toBe('waits');
  });
});
