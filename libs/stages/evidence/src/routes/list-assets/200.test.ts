import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@answer-evidence/access';
import { evidenceAsset, pageOf } from '@answer-evidence/contracts';
import {
  applicationOf,
  ASSETS,
  createAsset,
  createRecord,
  type EvidenceTest,
  fileOf,
  openEvidence,
  redactAsset,
  retrieve,
} from '../../fixtures/evidence.ts';

const page = pageOf(evidenceAsset);

describe('GET /api/evidence-assets', () => {
  let stage: EvidenceTest;
  let names: ReadonlyMap<string, string>;
  let hash: string;
  let recordId: string;
  let middle: string;
  beforeAll(async () => {
    stage = await openEvidence();
    const text = await createAsset(stage, { name: 'text' }, { file: fileOf('a text') });
    const erased = await createAsset(stage, { name: 'erased' }, { file: fileOf('to be erased') });
    await redactAsset(stage, erased.id);
    const link = await createAsset(stage, { name: 'reference', external_uri: 'urn:a' });
    const other = await createAsset(
      stage,
      { name: 'other', segments: ['x'] },
      { as: applicationOf(stage, 'other-bot') },
    );
    hash = text.content_hash ?? '';
    middle = link.created_at;
    const { access_event_id: accessId } = await retrieve(stage, text.id);
    ({ id: recordId } = await createRecord(stage, { evidence_access_event_ids: [accessId] }));
    names = new Map([
      [text.id, 'text'],
      [erased.id, 'erased'],
      [link.id, 'reference'],
      [other.id, 'other'],
    ]);
  });

  async function list(query: Record<string, string> = {}, as: Caller = stage.manager) {
    const reply = await stage.call('GET', ASSETS, { as, query });
    expect(reply.status).toBe(200);
    const found = page.parse(reply.body);
    return { ...found, names: found.items.map(({ id }) => names.get(id)) };
  }

  it('has all assets of the workspace, newest first', async () => {
    expect(await list()).toMatchObject({
      names: ['other', 'reference', 'erased', 'text'],
      total: 4,
      total_relation: 'eq',
      next_cursor: null,
    });
  });

  it.each<readonly [string, () => Record<string, string>, readonly string[]]>([
    ['application', () => ({ application_key: 'other-bot' }), ['other']],
    ['kind', () => ({ kind: 'reference' }), ['reference']],
    ['state', () => ({ state: 'redacted' }), ['erased']],
    [
      'content type',
      () => ({ content_type: 'text/plain', state: 'available', application_key: 'support-bot' }),
      ['text'],
    ],
    ['hash, of what is stored', () => ({ content_hash: hash }), ['text']],
    ['record', () => ({ answer_log_id: recordId }), ['text']],
    ['time from', () => ({ created_after: middle }), ['other', 'reference']],
    ['time to', () => ({ created_before: middle }), ['erased', 'text']],
    ['two at once', () => ({ created_before: middle, state: 'available' }), ['text']],
    ['what nothing has', () => ({ content_hash: `sha256:${'0'.repeat(64)}` }), []],
  ])('is filtered by %s', async (_case, query, wanted) => {
    expect(await list(query())).toMatchObject({ names: wanted, total: wanted.length });
  });

  it('pages by number and by cursor, without a gap and without doubling', async () => {
    const seen: (string | undefined)[] = [];
    let cursor: string | null = null;
    do {
      const found: Awaited<ReturnType<typeof list>> = await list({ size: '3', ...(cursor === null ? {} : { cursor }) });
      seen.push(...found.names);
      cursor = found.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(['other', 'reference', 'erased', 'text']);
    expect((await list({ size: '3', page: '2' })).names).toEqual(['text']);
  });

  it('is narrowed to the application of a token, which is told when it asks for another', async () => {
    const as = applicationOf(stage, 'other-bot');
    expect(await list({}, as)).toMatchObject({ names: ['other'], total: 1 });
    expect((await list({ answer_log_id: recordId }, as)).names).toEqual([]);
    const query = { application_key: 'support-bot' };
    expect(await stage.call('GET', ASSETS, { as, query })).toMatchObject({
      status: 403,
      code: 'application_not_allowed',
    });
    const { next_cursor: cursor } = await list({ size: '1' });
    expect(await stage.call('GET', ASSETS, { as, query: { cursor: cursor ?? '' } })).toMatchObject({
      status: 422,
      code: 'cursor_not_valid',
    });
  });

  it.each<readonly [string, Record<string, string>, string]>([
    ['an unknown filter', { colour: 'red' }, 'schema_violation'],
    ['a state that there is not', { state: 'lost' }, 'schema_violation'],
    ['a time beyond reach', { created_after: '9999-12-31T23:59:59-23:59' }, 'schema_violation'],
    ['a cursor that is not one', { cursor: 'AAAA' }, 'cursor_not_valid'],
    ['a page beyond reach', { page: '9999', size: '200' }, 'page_out_of_reach'],
    ['a page and a cursor', { page: '1', cursor: 'AAAA' }, 'schema_violation'],
  ])('answers 422 to %s', async (_case, query, code) => {
    expect(await stage.call('GET', ASSETS, { as: stage.manager, query })).toMatchObject({ status: 422, code });
  });

  it('answers 401 without a token and 403 without the scope', async () => {
    expect(await stage.call('GET', ASSETS)).toMatchObject({ status: 401 });
    const as = { ...applicationOf(stage), scopes: ['answer_audit:read' as const] };
    expect(await stage.call('GET', ASSETS, { as })).toMatchObject({ status: 403, code: 'scope_missing' });
  });
});
