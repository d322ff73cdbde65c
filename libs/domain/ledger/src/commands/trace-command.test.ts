import { describe, expect, it } from '@jest/globals';
import type { TraceAttachmentRow } from '@answer-evidence/tables';
import { createKeyRow, createRecordRow, createSealedRow, hashOf, idOf } from '../../fixtures/rows.ts';
import type { AppendCommand } from '../append-command.ts';
import { type LoadedState, NOTHING_KNOWN, traceKey } from '../batch-state.ts';
import { EMPTY_HEAD } from '../head.ts';
import { planAppend } from '../plan-append.ts';
import { claimVersion1 } from './idempotent.ts';
import { createRecordCommand } from './record-command.ts';
import { createTraceCommand } from './trace-command.ts';

const NOW = 1_790_000_000_000_000;

const row: TraceAttachmentRow = {
  record_id: idOf(1),
  id: idOf(2),
  nonce: new Uint8Array(16),
  signal: 'span',
  trace_id: '0af7651916cd43dd8448eb211c80319c',
  span_id: 'b7ad6b7169203331',
  started_at: 1_000,
  commitments: 'equal',
  actor_json: '{"id":"support-bot","kind":"application","token_id":null}',
};

function outcomes(commands: readonly AppendCommand[], known: Partial<LoadedState> = {}) {
  const head = { ...EMPTY_HEAD, settingsVersion: 1 };
  return planAppend(head, { ...NOTHING_KNOWN, ...known }, NOW, commands).outcomes.map((outcome) => {
    if (outcome.kind === 'replayed') return `replayed ${outcome.objectId}`;
    return outcome.kind === 'refused' ? outcome.error.code : outcome.kind;
  });
}

const create = createRecordCommand(idOf(1), 1, claimVersion1(createKeyRow('record:support-bot', 'key', idOf(1), 'a')), {
  kind: 'ready',
  row: createRecordRow(idOf(1), { idempotency_key: 'key' }),
  hash: hashOf('1'),
  sealed: createSealedRow(idOf(1)),
});

describe('a trace', () => {
  it('is attached once for each of its spans, within a batch and across batches', () => {
    const again = { ...row, id: idOf(3) };
    const other = { ...row, id: idOf(4), span_id: 'b7ad6b7169203332' };
    const whole = { ...row, id: idOf(5), span_id: null };
    const commands = [row, again, other, whole].map(createTraceCommand);
    expect(outcomes([create, ...commands])).toEqual([
      'appended',
      'appended',
      `replayed ${row.id}`,
      'appended',
      'appended',
    ]);
    const traces = new Map([[traceKey(row), row.id]]);
    expect(outcomes([create, createTraceCommand(again)], { traces })).toEqual(['appended', `replayed ${row.id}`]);
  });

  it('is not attached to a record that is not there', () => {
    expect(outcomes([createTraceCommand(row)])).toEqual(['not_found']);
  });

  it('is attached whatever policy is in force', () => {
    expect(createTraceCommand(row).settingsVersion).toBeNull();
  });
});
