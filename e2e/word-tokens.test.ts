import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { until } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';

let service: TestService;
let recordId = '';
let tokens: readonly Buffer[] = [];

beforeAll(async () => {
  service = await openTestService();
  const call = (method: string, path: string, body: object) => service.call(method, path, { body });
  await call('PATCH', '/api/tenant/settings', {
    answer_audit_word_search_enabled: true,
    answer_audit_proof_links_enabled: true,
  });
  const body = answer('Are the blue jackets waterproof?', 'The jackets withstand ten thousand millimetres of water.');
  recordId = (await call('POST', '/api/answer-audit-logs', body)).body.id;
  await until('the index', async () => (await service.call('GET', '/api/search/words')).body.state === 'ready');
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ token: Buffer }>(
      `select token from answer_evidence.word_tokens t join answer_evidence.answer_records r
         using (workspace_id, leaf_index) where r.id = $1`,
      [recordId],
    );
    tokens = rows.map(({ token }) => token);
  } finally {
    await client.end();
  }
}, 60_000);
afterAll(() => service.close());

/** The letters of base64 that a token has wherever it stands among other bytes. */
function spell(token: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), token])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and the last letter may have bits of what is beside the token.
    const inner = text.slice(Math.ceil((before * 4) / 3), -1);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function findTokens(bytes: Uint8Array): readonly string[] {
  const all = Buffer.from(bytes);
  const text = all.toString('latin1');
  return tokens
    .filter(
      (token) =>
        all.includes(token) ||
        text.toLowerCase().includes(token.toString('hex')) ||
        spell(token).some((spelt) => text.includes(spelt)),
    )
    .map((token) => token.toString('hex'));
}

describe('the tokens of words', () => {
  it('are found by this test in any spelling', () => {
    expect(tokens.length).toBeGreaterThan(8);
    const [token = Buffer.of()] = tokens;
    const beside = Buffer.concat([Buffer.from('xy'), token, Buffer.from('z')]);
    for (const text of [token.toString('hex').toUpperCase(), beside.toString('base64'), beside.toString('base64url')])
      expect(findTokens(Buffer.from(text))).toEqual([token.toString('hex')]);
    expect(findTokens(beside)).toEqual([token.toString('hex')]);
    expect(findTokens(Buffer.from('no token'))).toEqual([]);
  });

  it.each([
    ['GET', () => `/api/trust/proofs/answers/${recordId}`],
    ['GET', () => `/api/answer-audit-logs/${recordId}`],
    ['GET', () => `/api/answer-audit-logs/${recordId}/ledger/verify`],
    ['GET', () => '/api/answer-audit-logs/export?format=jsonl'],
    ['GET', () => '/api/answer-audit-logs/export?format=csv'],
    ['GET', () => '/api/tenant/entries?size=200'],
    ['GET', () => '/api/search/records'],
    ['POST', () => '/api/trust/packs', () => ({ answer_log_ids: [recordId], proof_links: {} })],
    ['POST', () => `/api/answer-audit-logs/${recordId}/reveal`, () => ({ reason_code: 'other', reason: 'a test' })],
  ])('are in no reply to %s %s', async (method, path, body?: () => object) => {
    const { status, text } = await service.call(method, path(), body === undefined ? {} : { body: body() });
    expect(status).toBeLessThan(300);
    expect(text.length).toBeGreaterThan(100);
    expect(findTokens(Buffer.from(text))).toEqual([]);
  });

  it('are in no tile of the log and not behind a link for the person concerned', async () => {
    const link = (await service.call('POST', `/api/answer-audit-logs/${recordId}/proof-links`, { body: {} })).body;
    const opened = await service.call('POST', '/api/proof-links/open', { token: null, body: { token: link.token } });
    expect([opened.status, findTokens(Buffer.from(opened.text))]).toEqual([200, []]);
    const tlog = `/tlog/${service.workspace}`;
    const checkpoint = (await service.call('GET', `${tlog}/checkpoint`)).text;
    const size = Number(checkpoint.split('\n')[1]);
    expect(size).toBeGreaterThan(1);
    for (const kind of ['0', 'entries']) {
      const reply = await fetch(`${service.baseUrl}${tlog}/tile/${kind}/000.p/${size}`, {
        headers: { authorization: `Bearer ${service.managerToken}` },
      });
      expect(reply.status).toBe(200);
      expect(findTokens(new Uint8Array(await reply.arrayBuffer()))).toEqual([]);
    }
  });
});
