import { describe, expect, it } from '@jest/globals';
import { type EventType, ServiceError } from '@answer-evidence/contracts';
import type { AppendCommand, VersionedSettings } from '@answer-evidence/ledger';
import { prepareAnswer } from '../fixtures/answers.ts';
import { prepareChange, prepareNote, prepareRevocation, prepareSettings, prepareToken } from '../fixtures/changes.ts';
import { openTestLog, seedTestLog, type TestLog } from '../fixtures/open-log.ts';
import { readStoredState } from '../fixtures/stored-state.ts';
import type { CommittedBatch, PostgresLedger } from './index.ts';

type Prepare = (settings: VersionedSettings) => AppendCommand | Promise<AppendCommand>;
type Round = (ids: readonly string[]) => readonly Prepare[];

/** Rounds of requests; those of one round arrive together. `ids` are the records of the rounds before. */
function roundsOf(log: TestLog): readonly Round[] {
  let requests = 0;
  // Prepared again, a request has the ids that it had, so that histories with other detours can be compared.
  const seeded = (make: (log: TestLog) => Prepare): Prepare => {
    const label = `request ${requests++}`;
    return (settings) => make(seedTestLog(log, label))(settings);
  };
  const answer = (question: string, key?: string, withRefs = false) =>
    seeded((own) => prepareAnswer(own, { question, withRefs, ...(key === undefined ? {} : { key }) }));
  const change = (recordId: string | undefined, type: EventType, key?: string) =>
    seeded((own) => prepareChange(own, { recordId: recordId ?? '', type, ...(key === undefined ? {} : { key }) }));
  const policy = (patch: Parameters<typeof prepareSettings>[1], withKey?: string) =>
    seeded((own) => prepareSettings(own, patch, withKey));
  const note = () => seeded((own) => prepareNote(own));
  const token = (name: string, id: string) => seeded((own) => prepareToken(own, name, id));
  const revocation = (id: string) => seeded((own) => prepareRevocation(own, id));
  const [first = '', second = '', third = '', unknown = ''] = Array.from({ length: 4 }, () => log.newId());
  return [
    () => [answer('one', 'k1'), answer('two', 'k2', true), answer('three'), answer('four', 'k4', true)],
    () => [answer('one', 'k1'), answer('another', 'k1'), answer('five', 'k5'), answer('five', 'k5')],
    (ids) => [change(ids[0], 'correction_appended', 'e1'), answer('six')],
    (ids) => [
      change(ids[0], 'correction_appended', 'e1'),
      change(ids[1], 'voided'),
      change(ids[1], 'voided'),
      change(ids[2], 'retention_extended'),
      note(),
    ],
    (ids) => [change(ids[0], 'redacted'), note()],
    (ids) => [change(ids[3], 'redacted')],
    () => [token('runtime', first), token('another', second)],
    () => [token('runtime', third)],
    () => [revocation(first), revocation(first), revocation(unknown)],
    () => [policy({}, 'hk_1'), answer('seven', 'k7')],
    () => [policy({ answer_audit_accept_text: false, answer_audit_accept_caller_hash: true })],
    () => [answer('eight'), answer('one', 'k1'), note()],
    () => [policy(new ServiceError('settings_unusable', 'not so'))],
    () => [policy({ answer_audit_accept_text: true }), answer('nine')],
    () => Array.from({ length: 260 }, (_, n) => answer(`many ${n}`, `many-${n}`)),
    () => [answer('many 7', 'many-7'), answer('last')],
  ];
}

/** Runs all rounds; says what became of every request. */
async function play(log: TestLog, ledgerOf: (round: number) => PostgresLedger): Promise<readonly string[]> {
  const said: string[] = [];
  const ids: string[] = [];
  for (const [n, round] of roundsOf(log).entries()) {
    const ledger = ledgerOf(n);
    const outcomes = await Promise.allSettled(round(ids).map((prepare) => ledger.append(log.workspace.id, prepare)));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        if (!(outcome.reason instanceof ServiceError)) throw outcome.reason;
        said.push(`${n} ${outcome.reason.code}`);
      } else if (outcome.value.kind === 'replayed') said.push(`${n} replayed ${outcome.value.objectId}`);
      else {
        for (const entry of outcome.value.entries) {
          // How many entries the tree has by then depends on which requests of a round met in one batch.
          expect(outcome.value.treeSize).toBeGreaterThan(entry.leafIndex);
          said.push(`${n} ${entry.type} at ${entry.leafIndex}`);
          if (entry.type === 'answer_recorded') ids.push(entry.id);
        }
      }
    }
  }
  return said;
}

async function playOn(choose: (fast: PostgresLedger, sure: PostgresLedger) => (round: number) => PostgresLedger) {
  const log = await openTestLog();
  try {
    const batches: CommittedBatch['way'][] = [];
    const onBatch = ({ way }: CommittedBatch) => void batches.push(way);
    const fast = log.openLedger({ predict: true, onBatch });
    const sure = log.openLedger({ predict: false, onBatch });
    const said = await play(log, choose(fast, sure));
    const { findings } = await log.check();
    return { said, state: await readStoredState(log), findings, batches };
  } finally {
    await log.close();
  }
}

describe('a batch that is committed optimistically', () => {
  it('leaves the same outcomes and the same database as one under the lock, in any mixture', async () => {
    const sure = await playOn((_, ledger) => () => ledger);
    const fast = await playOn((ledger) => () => ledger);
    // Every second round finds the head moved, so its bet is lost.
    const mixed = await playOn((one, other) => (round) => (round % 2 === 0 ? one : other));

    expect(new Set(sure.batches)).toEqual(new Set(['locked']));
    expect(fast.batches).toContain('optimistic');
    expect(mixed.batches).toContain('in_turn');
    for (const run of [fast, mixed]) {
      expect(run.said).toEqual(sure.said);
      expect(run.state).toEqual(sure.state);
    }
    for (const run of [sure, fast, mixed]) expect(run.findings).toEqual([]);
    expect(sure.said).toEqual(expect.arrayContaining(['1 idempotency_payload_mismatch', '3 transition_not_allowed']));
    expect(sure.said).toEqual(expect.arrayContaining(['7 name_taken', '8 not_found', '11 text_not_accepted']));
  });

  it('and finds the head moved or the key used keeps nothing of the bet', async () => {
    const log = await openTestLog();
    try {
      const batches: CommittedBatch['way'][] = [];
      const fast = log.openLedger({ onBatch: ({ way }) => void batches.push(way) });
      const other = log.openLedger();
      const append = (ledger: PostgresLedger, prepare: Prepare) => ledger.append(log.workspace.id, prepare);
      const kept = await append(other, prepareAnswer(log, { question: 'same', key: 'same' }));
      await append(fast, prepareNote(log));
      const before = await readStoredState(log);
      // The head is as remembered; only the key tells.
      const lost: string[] = [];
      const replay = await append(
        fast,
        prepareAnswer(log, { question: 'same', key: 'same', onId: (id) => void lost.push(id) }),
      );
      const { command: prepared, ...outcome } = replay;
      expect(prepared.entryIds).toEqual(lost.slice(-1));
      expect(outcome).toEqual({ kind: 'replayed', objectId: kept.kind === 'appended' ? kept.entries[0]?.id : '' });
      expect(await readStoredState(log)).toEqual(before);
      // Now the head has moved.
      await append(other, prepareNote(log));
      await append(fast, prepareAnswer(log, { question: 'after', onId: (id) => void lost.push(id) }));
      const state = await readStoredState(log);
      expect(state.answer_records).toHaveLength(2);
      expect(state.sealed_contents).toHaveLength(2);
      expect(JSON.stringify(state)).not.toContain(lost[0]);
      expect(batches.at(-1)).toBe('locked');
      expect((await log.check()).findings).toEqual([]);
    } finally {
      await log.close();
    }
  });
});
