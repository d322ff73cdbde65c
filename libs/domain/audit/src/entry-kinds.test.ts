import { describe, expect, it } from '@jest/globals';
import { ATTACHMENT_TYPES, type EntryType } from '@answer-evidence/contracts';
import { ATTACHMENTS } from '@answer-evidence/tables';
import { ENTRY_KINDS } from './entry-kinds.ts';

describe('a type of entry whose subject is a record', () => {
  it('is in the bundles of the record, in which its table is read and its type is expected', () => {
    const attached = (Object.keys(ENTRY_KINDS) as EntryType[]).filter((type) => ENTRY_KINDS[type] === 'attached');
    // Events have a place of their own there, and a link is evidence, whose entry is about the record.
    const expected = [...attached.filter((type) => type !== 'lifecycle_event'), 'evidence_linked'].toSorted();
    expect(
      Object.values(ATTACHMENTS)
        .map(({ leafType }) => leafType)
        .toSorted(),
    ).toEqual(expected);
    expect([...ATTACHMENT_TYPES].toSorted()).toEqual(expected);
  });
});
