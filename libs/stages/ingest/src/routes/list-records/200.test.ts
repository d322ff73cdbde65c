import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@answer-evidence/access';
import { type AnswerRecord, pageOf, recordSummary } from '@answer-evidence/contracts';
import { appendEvent, createRecord, type IngestTest, openIngest, RECORDS } from '../../fixtures/ingest.ts';

const page = pageOf(recordSummary);

describe('GET /api/answer-audit-logs', () => {
  let stage: IngestTest;
  let records: readonly AnswerRecord[];
  beforeAll(async () => {
    stage = await openIngest();
    const made = [
      await createRecord(stage, { mode: 'fast', external_trace_id: 't', semantic_refs: [{ concept: 'x' }] }),
      await createRecord(stage, { application_key: 'other-bot', environment: 'staging', session_id_hash: 's' }),
      await createRecord(stage, { idempotency_key: 'k', actor_id_hash: 'a' }),
      await createRecord(stage, { external_message_id: 'm', source_refs: [{ source_ref_id: 'faq', secret: 1 }] }),
      await createRecord(stage, { mode: 'fast', environment: 'staging' }),
    ];
    await appendEvent(stage, made[0]?.id ?? '', {
      event_type: 'correction_appended',
      payload: { corrected_answer_text: 'No.' },
    });
    await appendEvent(stage, made[3]?.id ?? '', {
      event_type: 'redacted',
      payload: { redact_source_ref_ids: ['faq'], reason_code: 'privacy' },
    });
    records = made;
  });

  async function list(query: Record<string, string> = {}, as: Caller = stage.manager) {
    const reply = await stage.call('GET', RECORDS, { as, query });
    expect(reply.status).toBe(200);
    return page.parse(reply.body);
  }
  const idsOf = ({ items }: { readonly items: readonly { readonly id: string }[] }) => items.map(({ id }) => id);
  const idsAt = (...indexes: readonly number[]) => indexes.map((n) => records[n]?.id);

  it('shows records newest first, under an envelope that counts them', async () => {
    const shown = await list();
    expect(shown).toMatchObject({ page: 1, size: 50, total: 5, total_relation: 'eq', next_cursor: null });
    expect(idsOf(shown)).toEqual(idsAt(4, 3, 2, 1, 0));
  });

  it('shows no text, no event, no receipt and no entry', async () => {
    const { items } = await list();
    for (const item of items) {
      expect(Object.keys(item)).not.toEqual(expect.arrayContaining(['events']));
      expect('receipt' in item || 'events' in item || 'text' in item.answer || 'entry' in item.ledger).toBe(false);
    }
    expect(JSON.stringify(items)).not.toContain('Because.');
  });

  it('shows of every other field what a read shows', async () => {
    const [newest] = (await list()).items;
    const {
      events: _events,
      receipt: _receipt,
      erasure: _erasure,
      evidence_links: _links,
      ...record
    } = records[4] as AnswerRecord;
    const { text: _question, ...question } = record.question;
    const { text: _answer, ...answer } = record.answer;
    const { entry: _entry, ...ledger } = record.ledger;
    expect(newest).toEqual({ ...record, question, answer, ledger });
  });

  it('shows the status, what became of texts, and a tombstone for what was redacted', async () => {
    const { items } = await list();
    expect(items[4]).toMatchObject({ status: 'corrected', answer: { text_state: 'stored' } });
    expect(items[4]?.semantic_refs).toEqual([{ concept: 'x' }]);
    expect(items[1]).toMatchObject({ status: 'redacted', answer: { text_state: 'redacted' } });
    expect(items[1]?.source_refs).toMatchObject([{ source_ref_id: 'faq', tombstone: { reason_code: 'privacy' } }]);
    expect(JSON.stringify(items[1])).not.toContain('secret');
  });

  it.each<[Record<string, string>, readonly number[]]>([
    [{ application_key: 'other-bot' }, [1]],
    [{ environment: 'staging' }, [4, 1]],
    [{ environment: 'production' }, [3, 2, 0]],
    [{ mode: 'fast' }, [4, 0]],
    [{ mode: 'fast', environment: 'staging' }, [4]],
    [{ status: 'recorded' }, [4, 2, 1]],
    [{ status: 'corrected' }, [0]],
    [{ status: 'redacted' }, [3]],
    [{ status: 'voided' }, []],
    [{ external_trace_id: 't' }, [0]],
    [{ external_message_id: 'm' }, [3]],
    [{ idempotency_key: 'k' }, [2]],
    [{ actor_id_hash: 'a' }, [2]],
    [{ session_id_hash: 's' }, [1]],
    [{ application_key: 'Support-bot' }, []],
  ])('narrows to %j', async (query, indexes) => {
    const shown = await list(query);
    expect(idsOf(shown)).toEqual(idsAt(...indexes));
    expect(shown.total).toBe(indexes.length);
  });

  it('takes created_after as inclusive and created_before as exclusive, to the microsecond and in any offset', async () => {
    const [from = '', to = ''] = [records[1]?.created_at, records[3]?.created_at];
    expect(idsOf(await list({ created_after: from, created_before: to }))).toEqual(idsAt(2, 1));
    expect(idsOf(await list({ created_after: to }))).toEqual(idsAt(4, 3));
    expect(idsOf(await list({ created_before: from }))).toEqual(idsAt(0));
    const [, hour = ''] = /T(\d\d):/.exec(from) ?? [];
    const east = from.replace(`T${hour}:`, `T${String(Number(hour) + 1).padStart(2, '0')}:`).replace('Z', '+01:00');
    expect(idsOf(await list({ created_after: east }))).toEqual(idsAt(4, 3, 2, 1));
  });

  it.each([1, 2, 3, 5])('leads through the whole list in pages of %i, by number and by cursor', async (size) => {
    const byNumber: string[] = [];
    for (let n = 1; n <= Math.ceil(5 / size); n++)
      byNumber.push(...idsOf(await list({ size: String(size), page: String(n) })));
    const byCursor: string[] = [];
    const numbers: number[] = [];
    let cursor: string | null | undefined;
    do {
      const shown = await list({ size: String(size), ...(cursor === undefined ? {} : { cursor: cursor ?? '' }) });
      byCursor.push(...idsOf(shown));
      numbers.push(shown.page);
      cursor = shown.next_cursor;
    } while (cursor !== null);
    expect(byNumber).toEqual(idsAt(4, 3, 2, 1, 0));
    expect(byCursor).toEqual(byNumber);
    expect(numbers).toEqual(numbers.map((_page, n) => n + 1));
  });

  it('narrows an application’s list to its own records', async () => {
    expect(idsOf(await list({}, stage.application))).toEqual(idsAt(4, 3, 2, 0));
    expect(idsOf(await list({ application_key: 'support-bot' }, stage.application))).toEqual(idsAt(4, 3, 2, 0));
  });

  it('neither repeats nor skips a record when new ones arrive between two pages', async () => {
    const other = await openIngest();
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.unshift((await createRecord(other)).id);
    const first = page.parse((await other.call('GET', RECORDS, { as: other.member, query: { size: '2' } })).body);
    await createRecord(other);
    const query = { size: '2', cursor: first.next_cursor ?? '' };
    const second = page.parse((await other.call('GET', RECORDS, { as: other.member, query })).body);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
  });
});
