import { hashCoreText } from '@answer-evidence/commitments';
import type { EventCore, RecordCore } from '@answer-evidence/contracts';
import { canonicalize, formatHex, parseTimestamp } from '@answer-evidence/encoding';
import { coreOf } from '@answer-evidence/ledger';
import { replayStatus, retentionEnd } from '@answer-evidence/lifecycle';
import {
  type EventRow,
  EVENTS,
  groupByOwner,
  type LeafRow,
  listedOf,
  OF_A_RECORD,
  type RecordRow,
  RECORDS,
  type RowsOf,
  type SealedRow,
} from '@answer-evidence/tables';
import { assertNamesEarlier, readErasure } from '@answer-evidence/verify/erasure';
import { assertSame, CheckFailure } from '@answer-evidence/verify/verdict';
import { checkAttached } from './check-attached.ts';
import { checkCanonical } from './check-canonical.ts';
import { checkContents } from './check-contents.ts';
import { ENTRY_KINDS } from './entry-kinds.ts';
import type { Findings } from './findings.ts';
import type { ContentReader, LedgerRows } from './ledger-reader.ts';
import type { SettingsSeries } from './settings-series.ts';

/** Everything that hangs on one `answer_recorded` leaf. */
type RecordRows = Omit<RowsOf<typeof OF_A_RECORD>, 'records'> & {
  readonly leaf: LeafRow;
  readonly record: RecordRow | undefined;
  readonly leaves: readonly LeafRow[];
  readonly sealed: ReadonlyMap<string, SealedRow>;
};

/** Every record of a run of leaves, with its events wherever they are. */
export async function checkRecords(
  rows: LedgerRows,
  settings: SettingsSeries,
  reader: ContentReader,
  findings: Findings,
): Promise<void> {
  const leaves = Map.groupBy(rows.subjectLeaves, (leaf) => leaf.subject);
  const rowsOf = groupByOwner(OF_A_RECORD, rows);
  const sealed = new Map(rows.sealed.map((row) => [row.object_id, row]));
  for (const leaf of rows.leaves) {
    if (leaf.type !== 'answer_recorded') continue;
    const own = rowsOf(leaf.id);
    const of: RecordRows = {
      ...own,
      leaf,
      record: own.records.at(-1),
      leaves: (leaves.get(leaf.id) ?? []).filter((other) => other.leaf_index !== leaf.leaf_index),
      events: own.events.toSorted((a, b) => a.sequence - b.sequence),
      sealed,
    };
    await checkOne(of, settings, reader, findings);
  }
}

async function checkOne(of: RecordRows, settings: SettingsSeries, reader: ContentReader, findings: Findings) {
  const place = { check: 'record', object: `record ${of.leaf.id}`, leafIndex: of.leaf.leaf_index };
  const core = await findings.guard(place, () => readRecord(of, settings));
  for (const { leaf_index: leafIndex } of of.leaves.filter((leaf) => leaf.leaf_index < of.leaf.leaf_index))
    findings.add({ ...place, leafIndex }, 'a leaf about it comes before it');
  for (const { leaf_index: leafIndex, type } of of.leaves.filter((leaf) => !isAboutRecord(leaf)))
    findings.add({ ...place, leafIndex }, `a leaf of the type ${type} has its id as the subject`);
  const eventCores = await checkEvents(of, settings, findings);
  const statusPlace = { ...place, check: 'status' };
  await findings.guard(statusPlace, () => checkStatus(of));
  const expiries = of.leaves.filter((leaf) => leaf.type === 'text_expired');
  const events = [...eventCores.values()];
  await checkAttached({ core, events, leaves: of.leaves, rows: of }, findings);
  const erasure = readErasure(
    events.map(({ core: event }) => event),
    expiries.map((leaf) => leaf.leaf_index),
  );
  const keptUntil =
    core === undefined
      ? Infinity
      : retentionEnd(
          parseTimestamp(core.retention_until),
          events.map(({ core: event }) => event),
        );
  if (core !== undefined) {
    const contents = {
      kind: 'record',
      core,
      leafIndex: of.leaf.leaf_index,
      sealed: of.sealed.get(core.id),
      keptUntil,
    } as const;
    await findings.guard({ ...place, check: 'sealed' }, () => checkContents(contents, erasure, reader, findings.turn));
  }
  for (const [id, { core: event, leafIndex }] of eventCores) {
    const eventPlace = { check: 'sealed', object: `event ${id}`, leafIndex };
    const contents = { kind: 'event', core: event, leafIndex, sealed: of.sealed.get(id), keptUntil } as const;
    await findings.guard(eventPlace, () => checkContents(contents, erasure, reader, findings.turn));
  }
}

/** Its id names a record, and so no asset and no workspace. */
function isAboutRecord({ type }: LeafRow): boolean {
  return ENTRY_KINDS[type] === 'attached' || type === 'evidence_linked';
}

function readRecord({ leaf, record }: RecordRows, settings: SettingsSeries): RecordCore {
  if (record === undefined) throw new CheckFailure('its row is missing');
  const core = coreOf(RECORDS, record);
  assertSame('its hash', formatHex(leaf.hash), formatHex(hashCoreText('answer_recorded', canonicalize(core))));
  assertSame('its leaf index', leaf.leaf_index, record.leaf_index);
  // What came over OTLP was accepted under settings that may have changed before the record was made of it.
  if (core.settings_version > settings.versionAt(leaf.leaf_index))
    throw new CheckFailure('it names a settings version that did not exist yet');
  checkCanonical(record);
  return core;
}

/** The cores of the events that have a leaf, by id, in order; each event's faults are its own findings. */
async function checkEvents(of: RecordRows, settings: SettingsSeries, findings: Findings) {
  const cores = new Map<string, { readonly core: EventCore; readonly leafIndex: number }>();
  const leaves = new Map(of.leaves.filter((leaf) => leaf.type === 'lifecycle_event').map((leaf) => [leaf.id, leaf]));
  const earlier = new Set<string>();
  let before = of.leaf;
  let sequence = 1;
  for (const row of of.events) {
    const leaf = leaves.get(row.id);
    leaves.delete(row.id);
    const place = { check: 'event', object: `event ${row.id}`, leafIndex: leaf?.leaf_index ?? null };
    const core = await findings.guard(place, () => readEvent(row, leaf, sequence, before, settings));
    if (core !== undefined) await findings.guard(place, () => assertNamesEarlier('it', core, earlier));
    earlier.add(row.id);
    if (leaf !== undefined) before = leaf;
    if (leaf !== undefined && core !== undefined) cores.set(row.id, { core, leafIndex: leaf.leaf_index });
    sequence += 1;
  }
  for (const leaf of leaves.values()) {
    findings.add({ check: 'event', object: `event ${leaf.id}`, leafIndex: leaf.leaf_index }, 'its row is missing');
  }
  return cores;
}

function readEvent(
  row: EventRow,
  leaf: LeafRow | undefined,
  sequence: number,
  before: LeafRow,
  settings: SettingsSeries,
): EventCore {
  if (leaf === undefined) throw new CheckFailure('it has no leaf that names its record');
  const core = coreOf(EVENTS, row);
  assertSame('its hash', formatHex(leaf.hash), formatHex(hashCoreText('lifecycle_event', canonicalize(core))));
  assertSame('its sequence', sequence, row.sequence);
  assertSame('the sequence in its leaf', sequence, leaf.seq);
  assertSame('the hash before it', `sha256:${formatHex(before.hash)}`, row.prev_event_hash);
  if (leaf.leaf_index <= before.leaf_index) throw new CheckFailure('it precedes in the log what it depends on');
  assertSame('the settings version it was created under', settings.versionAt(leaf.leaf_index), core.settings_version);
  checkCanonical(row);
  return core;
}

function checkStatus({ record, events, states }: RecordRows): void {
  const expected = replayStatus(events.map((row) => row.event_type));
  if (expected === null) throw new CheckFailure('its events are in an order that the lifecycle does not allow');
  const [state, ...more] = states;
  if (more.length > 0) throw new CheckFailure('it has more than one status');
  if (state?.status === 'recorded') throw new CheckFailure('a status is stored without a row that explains it');
  assertSame('its status', expected, state?.status ?? 'recorded');
  if (state !== undefined && record !== undefined)
    assertSame('what its status repeats', canonicalize(listedOf(record)), canonicalize(listedOf(state)));
}
