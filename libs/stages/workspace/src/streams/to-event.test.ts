import { describe, expect, it } from '@jest/globals';
import { formatEntry, hashCoreText } from '@answer-evidence/commitments';
import { ENTRY_TYPES, type EntryType, type JsonObject, MEMBER_CHANGES, streamEvent } from '@answer-evidence/contracts';
import { canonicalize, utf8 } from '@answer-evidence/encoding';
import { leafHash } from '@answer-evidence/merkle';
import type { StoredPlace, Workspace } from '@answer-evidence/ports';
import { findOcsfFaults } from '../../fixtures/find-ocsf-faults.ts';
import { formatSyslog } from './format-syslog.ts';
import { testEvent, toEvent } from './to-event.ts';
import { toOcsf } from './to-ocsf.ts';

const ID = '0199f3c2-6000-7000-8000-000000000001';
const WORKSPACE = { id: '0199f3c2-6000-7000-8000-000000000002', slug: 'demo' } as Workspace;
const NOW = 1_750_000_000_123_456;
const ACTOR = { kind: 'user', id: ID, token_id: null };
const PRIVATE = 'a private reason';

function placeOf(type: EntryType, more: JsonObject = {}): StoredPlace {
  const core = { id: ID, nonce: '0'.repeat(32), actor: ACTOR, reason: PRIVATE, reason_code: 'complaint', ...more };
  const coreText = canonicalize(core);
  const row = { type, id: ID, subject: WORKSPACE.id, seq: 0, hash: hashCoreText(type, coreText), at: NOW };
  return { leafIndex: 7, leaf: { ...row, leaf_index: 7, leaf_hash: leafHash(formatEntry(row)) }, coreText };
}

const events = (place: StoredPlace, includeReasons = false) => {
  const plain = toEvent(WORKSPACE, place, { includeReasons });
  return { plain, ocsf: toOcsf(plain, NOW) };
};

describe('an event of a stream', () => {
  it.each(ENTRY_TYPES)('of %s follows the plain form and the schema of OCSF, and holds no reason', (type) => {
    const { plain, ocsf } = events(
      placeOf(type, { member_id: ID, username: 'anna', role: 'manager', changes: ['added'] }),
    );
    expect(streamEvent.safeParse(plain).error).toBeUndefined();
    expect(findOcsfFaults(ocsf)).toEqual([]);
    expect([plain.damage, plain.leaf_index, plain.actor]).toEqual([null, 7, ACTOR]);
    expect(JSON.stringify([plain, ocsf])).not.toMatch(/private|complaint/);
  });

  it.each(MEMBER_CHANGES)('of a member who was %s is an account change', (change) => {
    const { ocsf } = events(
      placeOf('member_changed', { member_id: ID, username: 'anna', role: 'member', changes: [change] }),
    );
    expect(findOcsfFaults(ocsf)).toEqual([]);
    expect(ocsf['class_uid']).toBe(3001);
  });

  it('holds the reason of a reading if the stream asks for it', () => {
    const { plain, ocsf } = events(placeOf('texts_revealed', { answer_log_id: ID }), true);
    expect(plain.about).toMatchObject({ reason: PRIVATE, reason_code: 'complaint' });
    expect(ocsf['comment']).toBe(PRIVATE);
    expect(findOcsfFaults(ocsf)).toEqual([]);
  });

  it('lists at most 100 records of a reading, and says how many there were', () => {
    const { plain } = events(placeOf('texts_revealed', { answer_log_ids: Array.from({ length: 5_000 }, () => ID) }));
    expect(plain.about['answer_log_ids_total']).toBe(5_000);
    expect((plain.about['answer_log_ids'] as readonly string[]).length).toBe(100);
  });

  it('says what is damaged, and shows nothing of what was altered', () => {
    const good = placeOf('texts_revealed');
    const leaf = good.leaf as NonNullable<StoredPlace['leaf']>;
    const damaged: readonly (readonly [StoredPlace, string])[] = [
      [{ leafIndex: 7, leaf: undefined, coreText: undefined }, 'its row is missing'],
      [{ ...good, leaf: { ...leaf, at: leaf.at + 1 } }, 'its row was altered'],
      [{ ...good, leaf: { ...leaf, at: 0.5 } }, 'its row was altered'],
      [{ ...good, leaf: { ...leaf, type: 'secret words' as EntryType } }, 'its row was altered'],
      [{ ...good, coreText: undefined }, 'what it is about is missing or not readable'],
      [{ ...good, coreText: '{"secret words' }, 'what it is about was altered'],
    ];
    for (const [place, damage] of damaged) {
      const { plain, ocsf } = events(place, true);
      expect([plain.damage, plain.about, streamEvent.safeParse(plain).success]).toEqual([damage, {}, true]);
      expect(findOcsfFaults(ocsf)).toEqual([]);
      expect(ocsf['severity']).toBe('High');
      expect(JSON.stringify([plain, ocsf])).not.toContain('secret words');
    }
  });

  it('of a test and of a type that a newer version writes follows the schema too', () => {
    expect(findOcsfFaults(toOcsf(testEvent(WORKSPACE, ID, NOW), NOW))).toEqual([]);
    const { plain, ocsf } = events(placeOf('added_later' as EntryType));
    expect([plain.damage, plain.about, findOcsfFaults(ocsf)]).toEqual([null, {}, []]);
  });
});

describe('a message of syslog', () => {
  it('is framed by its length in bytes, and is ASCII whatever its event holds', () => {
    const { plain } = events(placeOf('token_issued', { name: 'Zoë’s 🔑' }));
    const json = JSON.stringify(plain);
    const framed = new TextDecoder().decode(
      formatSyslog(
        [
          { event: plain, json },
          { event: plain, json },
        ],
        'a b',
        NOW,
      ),
    );
    const [, length = '', rest = ''] = /^(\d+) (.*)$/s.exec(framed) ?? [];
    const message = rest.slice(0, Number(length));
    expect(rest.slice(Number(length)).startsWith(`${length} <`)).toBe(true);
    expect(message).toMatch(
      /^<110>1 2025-06-15T\d\d:06:40\.123456Z ab answer-evidence - token_issued - \{[\x20-\x7e]+\}$/,
    );
    expect(JSON.parse(message.slice(message.indexOf('{')))).toEqual(plain);
    expect(utf8(message).byteLength).toBe(Number(length));
  });
});
