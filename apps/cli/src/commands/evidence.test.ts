import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { hashSegmentText } from '@answer-evidence/commitments';
import type { EvidenceAsset } from '@answer-evidence/contracts';
import type { SeenRequest } from '../testing/fake-host.ts';
import { runTranscript } from '../testing/run-transcript.ts';
import { AT, createEntry, ID } from '../testing/samples.ts';

const HASH = `sha256:${'a'.repeat(64)}`;
const CONTENT = 'Two years of warranty.\n';
const sha256 = createHash('sha256').update(CONTENT).digest('hex');
const LEDGER = {
  origin: 'log.example/demo/00000000',
  leaf_index: 7,
  leaf_hash: 'b'.repeat(64),
  entry: createEntry('evidence_registered', ID, ID),
};
const asset: EvidenceAsset = {
  id: ID,
  application_key: 'support-bot',
  idempotency_key: 'k',
  name: 'faq.md',
  kind: 'file',
  content_type: 'text/markdown',
  size_bytes: CONTENT.length,
  content_hash: `sha256:${sha256}`,
  segment_count: 1,
  segments_root: HASH,
  external_uri: null,
  attributes: {},
  state: 'available',
  original: 'stored',
  original_deleted_at: null,
  retention_until: AT,
  created_at: AT,
  created_by: { kind: 'user', id: ID, token_id: ID },
  evidence_hash: HASH,
  erasure: null,
  ledger: LEDGER,
};
/** The asset under the key of the request. */
const keptFor = ({ idempotencyKey }: SeenRequest) => ({ ...asset, idempotency_key: idempotencyKey });
const page = <T>(items: readonly T[]) => ({
  items,
  page: 1,
  size: 50,
  total: items.length,
  total_relation: 'eq',
  next_cursor: null,
});
const ASSETS = '/api/evidence-assets';
const files = {
  '/docs/faq.md': CONTENT,
  '/texts.json': '["Two years.", "Free returns."]',
  '/more.json': '{"lang":"en"}',
};

describe('evidence upload', () => {
  it('sends the file with its hash, and shows the asset', async () => {
    const argv = ['evidence', 'upload', '/docs/faq.md', '--application', 'support-bot', '--attributes', '/more.json'];
    const routes = { [`POST ${ASSETS}`]: { status: 201, bodyFor: keptFor } };
    const { exitCode, stdout, calls } = await runTranscript(argv, routes, { files });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('text/markdown');
    const body = calls[0]?.body ?? '';
    expect(body).toContain(`{"application_key":"support-bot","attributes":{"lang":"en"},"sha256":"${sha256}"}`);
    expect(body).toMatch(
      /name="file"; filename="faq\.md"\r\ncontent-type: application\/octet-stream\r\n\r\nTwo years of warranty\.\n\r\n--/,
    );
  });

  it('repeats a warning on standard error', async () => {
    const warnings = [{ pointer: '/content_type', detail: 'the bytes are image/png' }];
    const routes = {
      [`POST ${ASSETS}`]: { status: 201, bodyFor: (to: SeenRequest) => ({ ...keptFor(to), warnings }) },
    };
    const { exitCode, stderr } = await runTranscript(['evidence', 'upload', '/docs/faq.md'], routes, { files });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('warning: the bytes are image/png');
  });

  it('shows a bar on a terminal, and takes it away', async () => {
    const routes = { [`POST /api/answer-audit-logs/${ID}/evidence-assets/upload`]: { status: 201, bodyFor: keptFor } };
    const argv = ['evidence', 'upload', '/docs/faq.md', '--record', ID];
    const { exitCode, stderr } = await runTranscript(argv, routes, { files, isTerminal: true });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('sent [#######-----------------] 30 % of 23 B');
    expect(stderr).toContain('sent [########################] 100 % of 23 B');
    expect(stderr.endsWith('\r\u001b[2K')).toBe(true);
  });

  it('answers 2 to a file that is not there, before anything is sent', async () => {
    const { exitCode, stderr, calls } = await runTranscript(['evidence', 'upload', '/nothing'], {});
    expect([exitCode, calls.length]).toEqual([2, 0]);
    expect(stderr).toContain('/nothing');
  });
});

describe('evidence register', () => {
  const routes = { [`POST ${ASSETS}`]: { status: 201, bodyFor: keptFor } };

  it('sends passages of a file, or a URI', async () => {
    const passages = ['evidence', 'register', '--application', 'a', '--segments', '/texts.json'];
    expect((await runTranscript(passages, routes, { files })).calls[0]?.body).toBe(
      '{"application_key":"a","segments":["Two years.","Free returns."]}',
    );
    const reference = ['evidence', 'register', '--application', 'a', '--uri', 'https://docs.example/faq'];
    expect((await runTranscript(reference, routes)).calls[0]?.body).toBe(
      '{"application_key":"a","external_uri":"https://docs.example/faq"}',
    );
  });

  it.each([[[]], [['--uri', 'https://x.example', '--segments', '/texts.json']], [['--segments', '/more.json']]])(
    'answers 2 to %j',
    async (options) => {
      const { exitCode, calls } = await runTranscript(['evidence', 'register', ...options], routes, { files });
      expect([exitCode, calls.length]).toEqual([2, 0]);
    },
  );
});

describe('evidence list, get, accesses', () => {
  it('list filters, and shows a line an asset', async () => {
    const argv = ['evidence', 'list', '--kind', 'file', '--state', 'available', '--record', ID];
    const { stdout, calls } = await runTranscript(argv, { [`GET ${ASSETS}`]: { body: page([asset]) } });
    expect(stdout).toMatch(/faq\.md$/m);
    expect(calls[0]?.query).toBe(`?kind=file&state=available&answer_log_id=${ID}`);
  });

  it('get says what became of a redacted one', async () => {
    const gone = {
      ...asset,
      name: null,
      content_hash: null,
      state: 'redacted',
      original: 'erased',
      original_deleted_at: AT,
    };
    const { stdout } = await runTranscript(['evidence', 'get', ID], { [`GET ${ASSETS}/${ID}`]: { body: gone } });
    expect(stdout).toMatch(/^original deleted +2/m);
    expect(stdout).toMatch(/^state +redacted$/m);
  });

  it('accesses says who, why, and into which answers', async () => {
    const access = {
      id: ID,
      asset_id: ID,
      access: 'retrieve',
      segment_ids: null,
      range: null,
      source_ref_id: 'evidence:1',
      purpose: 'to answer',
      actor: { kind: 'application', id: 'support-bot', token_id: null },
      created_at: AT,
      bound_into: [ID],
      ledger: LEDGER,
    };
    const routes = { [`GET ${ASSETS}/${ID}/accesses`]: { body: page([access]) } };
    const { stdout } = await runTranscript(['evidence', 'accesses', ID], routes);
    expect(stdout).toMatch(new RegExp(`application support-bot +retrieve +all +to answer +${ID}`));
  });
});

describe('evidence retrieve', () => {
  it('shows what to bind, texts, and what is gone', async () => {
    const tombstone = { event_id: ID, reason_code: 'privacy', redacted_at: AT };
    const [salt, text, other] = ['00'.repeat(16), 'Two\u001b[31m years.', ID.replace(/1$/, '2')];
    const retrieved = {
      source_ref: { source_ref_id: 'evidence:1', source_name: 'faq.md', evidence_asset_id: ID, access_event_id: ID },
      access_event_id: ID,
      segments: [
        { segment_id: ID, index: 0, hash: hashSegmentText(salt, text), salt, text },
        { segment_id: other, index: 1, hash: HASH, tombstone },
      ],
      ledger: { ...LEDGER, entry: createEntry('evidence_accessed', ID, ID) },
    };
    const routes = { [`POST ${ASSETS}/${ID}/retrieve`]: { body: retrieved } };
    const argv = ['evidence', 'retrieve', ID, '--segment', ID, '--segment', other, '--purpose', 'audit'];
    const { stdout, calls } = await runTranscript(argv, routes);
    expect(calls[0]?.body).toBe(`{"segment_ids":["${ID}","${other}"],"purpose":"audit"}`);
    expect(stdout).toContain('evidence:1');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain(`gone since ${AT} (privacy)`);
    const written = await runTranscript([...argv, '--out', '/kept.json'], routes);
    expect(JSON.parse(written.files.get('/kept.json') ?? '')).toEqual(retrieved);
  });
});

describe('evidence download', () => {
  const headers = { 'evidence-access-event-id': ID, 'content-type': 'text/markdown' };
  const routes = {
    [`GET ${ASSETS}/${ID}`]: { body: asset },
    [`POST ${ASSETS}/${ID}/download`]: { headers, body: CONTENT },
  };
  const argv = ['evidence', 'download', ID, '--out', '/out/faq.md'];

  it('writes the original when all of it came, and names the access', async () => {
    const { exitCode, files: written, stderr } = await runTranscript(argv, routes);
    expect([exitCode, written.get('/out/faq.md')]).toEqual([0, CONTENT]);
    expect(stderr).toContain(ID);
  });

  it('writes nothing when what came is not the original', async () => {
    const forged = { ...routes, [`POST ${ASSETS}/${ID}/download`]: { headers, body: 'Three years of warranty.' } };
    const { exitCode, files: written, stderr } = await runTranscript(argv, forged);
    expect([exitCode, written.get('/out/faq.md')]).toEqual([1, undefined]);
    expect(stderr).toContain("does not match the asset's hash");
  });

  it('asks for a part, and writes nothing of an original that is gone', async () => {
    const part = [...argv, '--offset', '0', '--length', '3'];
    expect((await runTranscript(part, routes)).calls[1]?.body).toBe('{"range":{"offset":0,"length":3}}');
    const problem = {
      status: 410,
      title: 'gone',
      detail: 'the original was redacted',
      code: 'gone_redacted',
      errors: [],
    };
    const gone = {
      [`POST ${ASSETS}/${ID}/download`]: { status: 410, body: { type: 't', request_id: 'r', ...problem } },
    };
    const { exitCode, files: written, stderr } = await runTranscript(argv, { ...routes, ...gone });
    expect([exitCode, written.size]).toEqual([1, 0]);
    expect(stderr).toContain('the original was redacted');
  });

  it('answers 2 to half a range', async () => {
    const { exitCode, calls } = await runTranscript([...argv, '--offset', '0'], routes);
    expect([exitCode, calls.length]).toEqual([2, 0]);
  });
});
