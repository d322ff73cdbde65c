import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '@answer-evidence/access';
import { type SearchRequest, searchResult, searchSession, wordIndexState } from '@answer-evidence/contracts';
import { changeSettings } from '@answer-evidence/testing';
import { answer, appendEvent, createRecord, type IngestTest, openIngest } from '../../fixtures/ingest.ts';
import { indexWordsTicker } from '../../tickers/index-words.ts';
import { keepWordIndexesTicker } from '../../tickers/keep-word-indexes.ts';

const REASON = { reason_code: 'complaint', reason: 'complaint 4471' };
const MINUTE = 60_000_000;

describe('words in POST /api/search', () => {
  let stage: IngestTest;
  beforeEach(async () => {
    stage = await openIngest();
  });

  const index = async () => {
    await keepWordIndexesTicker(stage).run(new AbortController().signal);
    await indexWordsTicker(stage).run(new AbortController().signal);
  };
  const switchWords = async (isOn: boolean) => {
    await changeSettings(stage, { answer_audit_word_search_enabled: isOn });
    await index();
  };
  const record = (question: string, more: object = {}) =>
    createRecord(stage, { ...answer, question: { text: question }, ...more });
  async function search(request: SearchRequest, as: Caller = stage.manager) {
    const reply = await stage.call('POST', '/api/search', { as, body: request });
    expect(reply.status).toBe(200);
    return searchResult.parse(reply.body);
  }
  async function openSession(as: Caller = stage.manager): Promise<string> {
    const reply = await stage.call('POST', '/api/search/sessions', { as, body: REASON });
    expect(reply.status).toBe(201);
    return searchSession.parse(reply.body).id;
  }
  const idsOf = async (text: string, session: string, as?: Caller) =>
    (await search({ text, session }, as)).items.map(({ id }) => id);
  const state = async () =>
    wordIndexState.parse((await stage.call('GET', '/api/search/words', { as: stage.member })).body).state;

  it('finds texts from before and after they were switched on, for a reason that the log keeps', async () => {
    const before = await record('How long can I return a jacket?');
    expect(await state()).toBe('off');
    await changeSettings(stage, { answer_audit_word_search_enabled: true });
    expect(await state()).toBe('building');
    await index();
    expect(await state()).toBe('ready');
    const after = await record('Return of JACKETS?', { application_key: 'other-bot' });
    await record('Do you ship to Norway?');
    expect(await state()).toBe('building');
    await index();
    expect(await search({ text: 'jackets' })).toMatchObject({ items: [], words: { state: 'needs_reason' } });
    const session = await openSession();
    const found = await search({ text: 'jackets', session });
    expect(found.items.map(({ id }) => id)).toEqual([after.id, before.id]);
    expect(found).toMatchObject({
      understood: expect.arrayContaining([expect.objectContaining({ means: ['words'], total: 2 })]),
      not_understood: null,
      words: { state: 'searched', used: ['jackets'], left_out: [], is_limited: false, is_complete: true },
    });
    expect(JSON.stringify(found)).not.toContain('JACKETS');
    expect(await idsOf('other-bot jackets today', session)).toEqual([after.id]);
    expect(await idsOf('jackets yesterday', session)).toEqual([]);
    const { row } = (await stage.entries.find(stage.manager.workspaceId, session)) ?? {};
    expect(row).toMatchObject({ type: 'search_opened', core_json: expect.stringContaining(REASON.reason) });
    expect(row?.core_json).not.toMatch(/jacket/i);
  });

  it('leaves out what people tell, then words that no record has, then the commonest, and says so', async () => {
    await switchWords(true);
    const { id } = await record('Is my jacket waterproof?');
    await record('Is my coat waterproof?');
    await record('A customer asked for help');
    await index();
    const session = await openSession();
    const told = await search({ text: 'a customer asked today about purple jackets', session });
    expect(told.items.map((item) => item.id)).toEqual([id]);
    expect(told.words).toMatchObject({ used: ['jackets'], left_out: ['purple', 'customer', 'asked'] });
    const both = await search({ text: 'waterproof jacket help', session });
    expect(both.words).toMatchObject({ used: ['jacket', 'help'].slice(0, 1) });
    expect(both.items.map((item) => item.id)).toEqual([id]);
  });

  it('looks for similar words where no text has one, and says which', async () => {
    await switchWords(true);
    const { id } = await record('Is my jacket waterproof?');
    await index();
    const session = await openSession();
    for (const typed of ['jakcets', 'jacet', 'jaccet', 'kackets']) {
      const { items, words } = await search({ text: typed, session });
      expect([typed, items.map((item) => item.id)]).toEqual([typed, [id]]);
      expect(words?.similar).toMatchObject([{ word: typed }]);
    }
    expect(await search({ text: 'zeppelin', session })).toMatchObject({
      items: [],
      not_understood: 'zeppelin',
      words: { state: 'searched', used: [], left_out: ['zeppelin'], similar: [] },
    });
  });

  it('finds nothing of a text from the moment on at which it is erased, and a correction until then', async () => {
    await switchWords(true);
    const { id } = await record('About a jacket');
    await appendEvent(stage, id, {
      event_type: 'correction_appended',
      payload: { corrected_answer_text: 'Umbrella' },
    });
    await index();
    const session = await openSession();
    expect(await idsOf('jacket', session)).toEqual([id]);
    expect(await idsOf('umbrellas', session)).toEqual([id]);
    await appendEvent(stage, id, { event_type: 'redacted', payload: { reason_code: 'privacy' } });
    await index();
    expect(await idsOf('jacket', session)).toEqual([]);
    expect(await idsOf('umbrellas', session)).toEqual([]);
  });

  it('searches for none while they are off, and forgets them when they are switched off', async () => {
    await record('About a jacket');
    const session = await openSession();
    expect(await search({ text: 'jacket', session })).toMatchObject({ items: [], words: { state: 'off' } });
    await switchWords(true);
    expect(await idsOf('jacket', session)).toHaveLength(1);
    await changeSettings(stage, { answer_audit_word_search_enabled: false });
    expect(await state()).toBe('ending');
    expect(await search({ text: 'jacket', session })).toMatchObject({ items: [], words: { state: 'off' } });
    await index();
    expect(await state()).toBe('off');
    expect(await stage.words.find(stage.manager.workspaceId)).toBeUndefined();
  });

  it('makes the index again under another key when the hash key changes, or when somebody altered its row', async () => {
    await switchWords(true);
    await record('About a jacket');
    await index();
    const { workspaceId } = stage.manager;
    const first = await stage.words.find(workspaceId);
    await changeSettings(stage, { answer_audit_keyed_hash_enabled: true });
    await index();
    const second = await stage.words.find(workspaceId);
    expect(second?.salt).not.toEqual(first?.salt);
    if (second === undefined) throw new Error('the index was made again');
    await stage.words.add(workspaceId, second, { ...second, next_leaf: 1_000_000 }, []);
    const session = await openSession();
    expect(await search({ text: 'jacket', session })).toMatchObject({ items: [], words: { is_complete: false } });
    expect(await state()).toBe('building');
    await index();
    expect(await idsOf('jacket', session)).toHaveLength(1);
  });

  it('finds no record whose texts do not have the words, whatever the index says', async () => {
    await switchWords(true);
    const { id } = await record('About a jacket');
    const other = await record('About a coat');
    await index();
    const { workspaceId } = stage.manager;
    const found = await stage.words.find(workspaceId);
    const { vault } = await stage.directory.get(workspaceId);
    const [contents] = await stage.words.readRecords(workspaceId, [other.ledger.leaf_index]);
    if (found === undefined || contents === undefined) throw new Error('the record is indexed');
    const token = vault.createTokenizer(found.salt)('question', 'jacket');
    await stage.words.add(workspaceId, found, found, [{ ...contents, tokens: [token] }]);
    expect((await stage.words.search(workspaceId, [[token]], {}, 9)).leaves).toHaveLength(2);
    const { items, understood } = await search({ text: 'jacket', session: await openSession() });
    expect(items.map((item) => item.id)).toEqual([id]);
    expect(understood.at(-1)).toMatchObject({ means: ['words'], total: 1 });
  });

  it('takes no session of somebody else, none that is over, and none that is no session', async () => {
    await switchWords(true);
    const { id } = await record('About a jacket');
    await index();
    const others = await openSession(stage.member);
    for (const session of [others, id, crypto.randomUUID()])
      expect(await search({ text: 'jacket', session })).toMatchObject({ items: [], words: { state: 'needs_reason' } });
    expect(await idsOf('jacket', others, stage.member)).toHaveLength(1);
    stage.clock.advance(31 * MINUTE);
    expect(await search({ text: 'jacket', session: others }, stage.member)).toMatchObject({
      words: { state: 'needs_reason' },
    });
  });

  it('finds for an application what is of it', async () => {
    await switchWords(true);
    const own = await record('About a jacket');
    await record('About a jacket', { application_key: 'other-bot' });
    await index();
    const session = await openSession(stage.application);
    expect(await idsOf('jacket', session, stage.application)).toEqual([own.id]);
    expect(await idsOf('other-bot jacket', session, stage.application)).toEqual([own.id]);
  });

  it('tells somebody with limits nothing of the words of others', async () => {
    await switchWords(true);
    const place = (application_key: string, environment: string) => ({ application_key, environment });
    const own = await record('Is my jacket waterproof?', place('bot', 'test'));
    const second = await record('A waterproof blanket', place('second-bot', 'test'));
    await index();
    const reviewer = (applications: string[] | null, environments: string[] | null = null): Caller => ({
      ...stage.member,
      role: 'reviewer',
      limits: { applications, environments },
    });
    const session = await openSession(stage.member);
    const asked = ['jakcet', 'racket', 'zeppelin waterproof', 'jacket blanket', 'waterproof racket blanket'];
    const callers = [
      reviewer(['bot', 'third-bot']),
      reviewer(['bot']),
      reviewer(['bot', 'second-bot'], ['test']),
      reviewer(null, ['test', 'staging']),
    ];
    const tell = () =>
      Promise.all(
        callers.flatMap((as) =>
          asked.map(async (text) => {
            const { items, words, understood } = await search({ text, session }, as);
            return { text, ids: items.map(({ id }) => id), words, understood };
          }),
        ),
      );
    const before = await tell();
    expect(before[0]).toMatchObject({ ids: [own.id], words: { similar: [{ word: 'jakcet', instead: ['jacket'] }] } });
    expect(before[3]).toMatchObject({ ids: [own.id], words: { used: ['jacket'], left_out: ['blanket'] } });
    expect(before[12]).toMatchObject({ ids: [second.id, own.id], words: { used: ['waterproof'] } });
    for (const word of ['jakcet', 'racket', 'jackets', 'packet', 'zeppelin', 'blanket jacket', 'racket blanket'])
      await record(`Others have: ${word}`, place('second-bot', 'production'));
    await index();
    expect(await tell()).toEqual(before);
    // Somebody without limits is told of them.
    expect((await search({ text: 'zeppelin waterproof', session }, stage.member)).words?.used).toEqual(['zeppelin']);
  });

  it('takes any words for words', async () => {
    await switchWords(true);
    await record('About a jacket');
    await index();
    const session = await openSession();
    for (const text of [
      "'; drop table x; --",
      '<img src=x onerror=alert(1)>',
      '\u202ejacket%00',
      '{{7*7}}',
      '\\',
      'a'.repeat(1_000),
    ])
      expect((await search({ text, session })).items.length).toBeLessThanOrEqual(1);
  });
});
