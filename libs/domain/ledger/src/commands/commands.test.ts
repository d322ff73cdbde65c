import { describe, expect, it } from '@jest/globals';
import { hashCoreText } from '@answer-evidence/commitments';
import { ServiceError } from '@answer-evidence/contracts';
import { type RecordRow, RECORDS, type SealedRow } from '@answer-evidence/tables';
import { createEventRow, createKeyRow, createRecordRow, createSealedRow, hashOf, idOf } from '../../fixtures/rows.ts';
import { commandOf, WORKSPACE } from '../../fixtures/steps.ts';
import {
  type AppendCommand,
  claimVersion1,
  createAcceptedRecordCommand,
  createEventCommand,
  createRecordCommand,
  createSettingsCommand,
  EMPTY_HEAD,
  formatCore,
  idempotencyId,
  type LoadedState,
  NOTHING_KNOWN,
  planAppend,
} from '../index.ts';

const HEAD = { ...EMPTY_HEAD, settingsVersion: 1 };
const NOW = 1_790_000_000_000_000;
const KEYED = { idempotency_key: 'key' };
const REFUSAL = new ServiceError('text_not_accepted', 'refused');

function create(n: number, print: string, version = 1, prepared: 'ready' | 'refused' = 'ready'): AppendCommand {
  const key = createKeyRow('record:support-bot', 'key', idOf(n), print);
  return createRecordCommand(
    idOf(n),
    version,
    claimVersion1(key),
    prepared === 'refused'
      ? { kind: 'refused', error: REFUSAL }
      : { kind: 'ready', row: createRecordRow(idOf(n), KEYED), hash: hashOf(`${n}`), sealed: createSealedRow(idOf(n)) },
  );
}

function outcomes(commands: readonly AppendCommand[], known: LoadedState = NOTHING_KNOWN, nowMicros = NOW) {
  return planAppend(HEAD, known, nowMicros, commands).outcomes.map((outcome) =>
    outcome.kind === 'replayed'
      ? `replayed ${outcome.objectId}`
      : outcome.kind === 'refused'
        ? outcome.error.code
        : outcome.kind,
  );
}

const used: LoadedState = {
  ...NOTHING_KNOWN,
  idempotency: new Map([
    [idempotencyId('record:support-bot', 'key'), { objectId: idOf(9), fingerprint: hashOf('this') }],
  ]),
};

describe('an idempotency key', () => {
  it('replays an equal request and refuses another, within one batch', () => {
    expect(outcomes([create(1, 'this'), create(2, 'this'), create(3, 'that')])).toEqual([
      'appended',
      `replayed ${idOf(1)}`,
      'idempotency_payload_mismatch',
    ]);
  });

  it('replays an equal request and refuses another, across batches', () => {
    expect(outcomes([create(1, 'this'), create(2, 'that')], used)).toEqual([
      `replayed ${idOf(9)}`,
      'idempotency_payload_mismatch',
    ]);
  });

  it('comes before policy: a replay is neither refused by it nor prepared again', () => {
    expect(outcomes([create(1, 'this', 7), create(2, 'this', 1, 'refused')], used)).toEqual([
      `replayed ${idOf(9)}`,
      `replayed ${idOf(9)}`,
    ]);
    expect(outcomes([create(1, 'this', 7), create(2, 'this', 1, 'refused')])).toEqual([
      'reprepare',
      'text_not_accepted',
    ]);
  });

  it('of a refused or re-prepared create stays free', () => {
    expect(outcomes([create(1, 'this', 1, 'refused'), create(2, 'this', 7), create(3, 'that')])).toEqual([
      'text_not_accepted',
      'reprepare',
      'appended',
    ]);
  });

  it('belongs to its scope alone', () => {
    const other = createKeyRow('record:another-bot', 'key', idOf(2), 'that');
    const command = createRecordCommand(idOf(2), 1, claimVersion1(other), {
      kind: 'ready',
      row: createRecordRow(idOf(2), { ...KEYED, application_key: 'another-bot' }),
      hash: hashOf('2'),
      sealed: null,
    });
    expect(outcomes([create(1, 'this'), command])).toEqual(['appended', 'appended']);
  });
});

describe('an accepted record', () => {
  const accepted = (n: number, inForce: number | null = null) => {
    const key = createKeyRow('record:support-bot', 'key', idOf(n), `${n}`);
    const row = createRecordRow(idOf(n), { ...KEYED, settings_version: 7 });
    return createAcceptedRecordCommand(key, { kind: 'ready', row, hash: hashOf(`${n}`), sealed: null }, inForce);
  };

  it('is recorded whatever policy is in force, and its key once, for equal payloads and others', () => {
    expect(outcomes([accepted(1), accepted(1), accepted(2), create(3, '1')])).toEqual([
      'appended',
      `replayed ${idOf(1)}`,
      `replayed ${idOf(1)}`,
      `replayed ${idOf(1)}`,
    ]);
    expect(outcomes([accepted(1)], used)).toEqual([`replayed ${idOf(9)}`]);
  });

  it('is prepared again where it names a policy that is not in force, unless its key was used', () => {
    expect(outcomes([accepted(1, 7)])).toEqual(['reprepare']);
    expect(outcomes([accepted(1, 7)], used)).toEqual([`replayed ${idOf(9)}`]);
  });
});

describe('a refusal', () => {
  it('made under a policy that is no longer in force is judged again', () => {
    expect(outcomes([create(1, 'this', 2, 'refused')])).toEqual(['reprepare']);
  });
});

describe('a change of policy', () => {
  it('is obeyed by what follows it in the batch and not by what came before', () => {
    expect(outcomes([create(1, 'a'), commandOf({ kind: 'settings', version: 1 }, 5), create(6, 'b')])).toEqual([
      'appended',
      'appended',
      'idempotency_payload_mismatch',
    ]);
    const free = createRecordCommand(idOf(6), 1, null, { kind: 'refused', error: REFUSAL });
    expect(outcomes([free, commandOf({ kind: 'settings', version: 1 }, 5), free])).toEqual([
      'text_not_accepted',
      'appended',
      'reprepare',
    ]);
  });

  it('made from an older policy is made again; so is its refusal', () => {
    const refused = createSettingsCommand(WORKSPACE, 1, { entries: [], writes: [] }, REFUSAL);
    const change = commandOf({ kind: 'settings', version: 1 }, 5);
    expect(outcomes([refused, change, commandOf({ kind: 'settings', version: 1 }, 6), refused])).toEqual([
      'text_not_accepted',
      'appended',
      'reprepare',
      'reprepare',
    ]);
    expect(refused.entryIds).toEqual([]);
  });
});

describe('the retention of a record', () => {
  const day = 86_400_000_000;
  const kept = (until?: number, floorDays = 0): AppendCommand => {
    const row = createRecordRow(idOf(1), until === undefined ? {} : { retention_until: until });
    const sealed = { ...createSealedRow(idOf(1)), due_at: row.retention_until };
    return createRecordCommand(idOf(1), 1, null, {
      kind: 'ready',
      row,
      sealed,
      ...(until === undefined ? { hash: null, keptForMicros: 30 * day } : { hash: hashOf('1'), floorDays }),
    });
  };
  const planned = (lastAt: number, nowMicros: number) => {
    const plan = planAppend({ ...HEAD, lastAt }, NOTHING_KNOWN, nowMicros, [kept()]);
    const [record, sealed] = plan.writes.map((write) => (write.kind === 'insert' ? write.row : undefined));
    return { leaf: plan.leaves[0], record: record as RecordRow, sealed: sealed as SealedRow };
  };

  it.each([-400, 0, 400])('counts from the time of its entry when the clock is %d days from the log', (days) => {
    const { leaf, record, sealed } = planned(NOW, NOW + days * day);
    const at = Math.max(NOW + 1, NOW + days * day);
    expect(leaf?.at).toBe(at);
    expect(record.retention_until).toBe(at + 30 * day);
    expect(sealed.due_at).toBe(at + 30 * day);
    expect(leaf?.hash).toEqual(hashCoreText('answer_recorded', formatCore(RECORDS, record)));
  });

  it.each<[string, number, number, string]>([
    ['the microsecond after its entry', NOW, NOW + 2, 'appended'],
    ['the time of its entry', NOW, NOW + 1, 'retention_out_of_range'],
    ['3650 days after its entry', NOW, NOW + 1 + 3650 * day, 'appended'],
    ['later than that', NOW, NOW + 2 + 3650 * day, 'retention_out_of_range'],
    ['a time that a slow clock has still before it', NOW + 400 * day, NOW + 399 * day, 'retention_out_of_range'],
  ])('that the caller named may end at %s', (_, lastAt, until, outcome) => {
    const [result] = planAppend({ ...HEAD, lastAt }, NOTHING_KNOWN, NOW, [kept(until)]).outcomes;
    expect(result?.kind === 'refused' ? result.error.code : result?.kind).toBe(outcome);
  });

  it.each([
    [NOW + 183 * day, 'a microsecond before it'],
    [NOW + 1 + 183 * day, 'appended'],
  ])('that the caller named ends at %d no earlier than the floor of the workspace', (until, outcome) => {
    const [result] = planAppend({ ...HEAD, lastAt: NOW }, NOTHING_KNOWN, NOW, [kept(until, 183)]).outcomes;
    if (outcome === 'appended') expect(result?.kind).toBe('appended');
    else
      expect(result).toMatchObject({
        kind: 'refused',
        error: {
          code: 'retention_out_of_range',
          message: 'must be at least 183 days ahead, which this workspace keeps, and at most 3650 days ahead',
        },
      });
  });
});

describe('an event', () => {
  const record = createRecordCommand(idOf(1), 1, null, {
    kind: 'ready',
    row: createRecordRow(idOf(1)),
    hash: hashOf('1'),
    sealed: null,
  });
  const event = (n: number, type: 'voided' | 'redacted' | 'correction_appended', atSequence = 0, recordId = idOf(1)) =>
    createEventCommand(idOf(n), recordId, 1, null, {
      row: createEventRow(idOf(n), recordId, type),
      sealed: null,
      erasure: type === 'redacted' ? { atSequence, atExpiries: 0, writes: [] } : null,
    });

  it('of a record that does not exist is refused', () => {
    expect(outcomes([event(2, 'voided')])).toEqual(['not_found']);
    expect(outcomes([record, event(2, 'voided', 0, idOf(7))])).toEqual(['appended', 'not_found']);
  });

  it('is refused after a void in the same batch, and continues the chain otherwise', () => {
    const commands = [record, event(2, 'correction_appended'), event(3, 'voided'), event(4, 'voided')];
    expect(outcomes(commands)).toEqual(['appended', 'appended', 'appended', 'transition_not_allowed']);
    const { writes, leaves } = planAppend(HEAD, NOTHING_KNOWN, NOW, commands);
    const chain = writes.flatMap((write) =>
      write.kind === 'insert' && write.table === 'lifecycle_events'
        ? [[write.row.sequence, write.row.prev_event_hash]]
        : [],
    );
    const hashes = leaves.map((leaf) => `sha256:${Buffer.from(leaf.hash).toString('hex')}`);
    expect(chain).toEqual([
      [1, hashes[0]],
      [2, hashes[1]],
    ]);
  });

  it('that redacts is prepared again when another event came in between', () => {
    expect(outcomes([record, event(2, 'redacted', 0), event(3, 'redacted', 0), event(4, 'redacted', 1)])).toEqual([
      'appended',
      'appended',
      'reprepare',
      'appended',
    ]);
  });

  it('refused by policy or time is refused only after the replay', () => {
    const key = createKeyRow(`event:${idOf(1)}`, 'key', idOf(2), 'this');
    const late = new ServiceError('retention_out_of_range', 'too late');
    const refused = createEventCommand(idOf(3), idOf(1), 1, claimVersion1({ ...key, object_id: idOf(3) }), late);
    const kept = createEventCommand(idOf(2), idOf(1), 1, claimVersion1(key), {
      row: createEventRow(idOf(2), idOf(1), 'voided'),
      sealed: null,
      erasure: null,
    });
    expect(outcomes([record, refused, kept, refused])).toEqual([
      'appended',
      'retention_out_of_range',
      'appended',
      `replayed ${idOf(2)}`,
    ]);
  });
});

describe('a token', () => {
  it('is revoked once; unknown ones are not found', () => {
    const issue = commandOf({ kind: 'issue', token: 1 }, 1);
    const revoke = (n: number, token: number) => commandOf({ kind: 'revoke', token }, n);
    expect(outcomes([revoke(2, 1), issue, revoke(3, 1), revoke(4, 1)])).toEqual([
      'not_found',
      'appended',
      'appended',
      `replayed ${idOf(0x1001)}`,
    ]);
  });

  it('keeps its name until it is revoked or rotated, and a rotation hands the name on', () => {
    const issue = (n: number) => commandOf({ kind: 'issue', token: 1 }, n);
    const rotate = (n: number, token: number, next: number) =>
      commandOf({ kind: 'rotate', token, next, overlap: false }, n);
    expect(outcomes([issue(1), issue(2), rotate(3, 1, 3), issue(4)])).toEqual([
      'appended',
      'name_taken',
      'appended',
      'name_taken',
    ]);
  });

  it('that has expired keeps no name', () => {
    const tokenNames = new Map([['name 1', { tokenId: idOf(9), expiresAt: 5_000 }]]);
    const issue = commandOf({ kind: 'issue', token: 1 }, 1);
    expect(outcomes([issue], { ...NOTHING_KNOWN, tokenNames }, 4_999)).toEqual(['name_taken']);
    expect(outcomes([issue], { ...NOTHING_KNOWN, tokenNames }, 5_000)).toEqual(['appended']);
  });

  it('is rotated once: of two rotations the second is refused, as one of a revoked, expired or unknown token is', () => {
    const issue = commandOf({ kind: 'issue', token: 1 }, 1);
    const rotate = (n: number, token: number) => commandOf({ kind: 'rotate', token, next: 3, overlap: true }, n);
    expect(outcomes([rotate(2, 1), issue, rotate(3, 1), rotate(4, 1)])).toEqual([
      'not_found',
      'appended',
      'appended',
      'token_not_active',
    ]);
    const tokens = new Map([[idOf(0x1001), { revoked: false }]]);
    const expiry = Date.parse('2030-01-01T00:00:00Z') * 1_000;
    expect(outcomes([rotate(2, 1)], { ...NOTHING_KNOWN, tokens }, expiry)).toEqual(['token_not_active']);
  });

  it('that is good after its rotation can be cut off, once', () => {
    const issue = commandOf({ kind: 'issue', token: 1 }, 1);
    const rotate = commandOf({ kind: 'rotate', token: 1, next: 3, overlap: true }, 2);
    const revoke = (n: number) => commandOf({ kind: 'revoke', token: 1 }, n);
    expect(outcomes([issue, rotate, revoke(3), revoke(4)])).toEqual([
      'appended',
      'appended',
      'appended',
      `replayed ${idOf(0x1001)}`,
    ]);
  });
});
