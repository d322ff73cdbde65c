import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createdEvidenceAsset, DEFAULT_SETTINGS, evidenceAsset } from '@answer-evidence/contracts';
import {
  applicationOf,
  ASSETS,
  createAsset,
  type EvidenceTest,
  fileOf,
  limitBytes,
  openEvidence,
  readStream,
  retrieve,
} from '../../fixtures/evidence.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const hashOf = (content: string | Uint8Array) => `sha256:${createHash('sha256').update(content).digest('hex')}`;

describe('POST /api/evidence-assets', () => {
  let stage: EvidenceTest;
  beforeAll(async () => {
    stage = await openEvidence();
  });

  it('keeps a file, with what its bytes say that it is', async () => {
    const file = fileOf(PNG, { name: 'shot.txt', contentType: 'text/plain' });
    const body = { attributes: { page: 3 }, sha256: hashOf(PNG).slice(7) };
    expect(await createAsset(stage, body, { file })).toMatchObject({
      application_key: 'support-bot',
      name: 'shot.txt',
      kind: 'media',
      content_type: 'image/png',
      size_bytes: PNG.length,
      content_hash: hashOf(PNG),
      segment_count: 1,
      attributes: { page: 3 },
      external_uri: null,
      state: 'available',
      original: 'stored',
      erasure: null,
      created_by: { kind: 'user' },
    });
  });

  it('splits a text at empty lines, and keeps the original beside its segments', async () => {
    const text = '# Leave\n\nTwo weeks.\n\nNo more.\n';
    const asset = await createAsset(stage, {}, { file: fileOf(text, { name: 'leave.md' }) });
    expect(asset).toMatchObject({ content_type: 'text/markdown', kind: 'file', segment_count: 3 });
    const { segments } = await retrieve(stage, asset.id);
    expect(segments.map((segment) => 'text' in segment && segment.text)).toEqual(['# Leave', 'Two weeks.', 'No more.']);
    const download = await stage.call('POST', `${ASSETS}/${asset.id}/download`, { as: stage.manager, body: {} });
    expect(Buffer.from(await readStream(download)).toString()).toBe(text);
  });

  it('reads the text of HTML, without what is no text', async () => {
    const html = '<h1>Leave</h1><script>alert(1)</script><p>Two&nbsp;weeks.</p>';
    const asset = await createAsset(stage, { content_type: 'text/html' }, { file: fileOf(html) });
    const { segments } = await retrieve(stage, asset.id);
    expect(asset.content_type).toBe('text/html');
    expect(JSON.stringify(segments)).not.toContain('alert');
    expect(segments).toHaveLength(2);
  });

  it.each([
    ['image/png', Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'), null],
    ['application/octet-stream', Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'), null],
    ['text/markdown; charset=utf-8', Buffer.from('# A heading'), null],
    [
      'image/png',
      Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
      'the bytes are image/jpeg; the asset',
    ],
    ['image/png', Buffer.from('a stub'), 'the bytes are text/plain; the asset'],
    [
      'image/png',
      Buffer.from([0, 1, 2, 3, 255]),
      'the bytes do not have the stated type, nor any known one; the asset',
    ],
  ])('warns of a stated type that was not kept, and refuses nothing: %s, %j', async (type, content, warning) => {
    for (const isReplay of [false, true]) {
      const reply = await stage.call('POST', ASSETS, {
        as: applicationOf(stage),
        headers: { 'idempotency-key': `${type} ${hashOf(content)}` },
        body: { content_base64: content.toString('base64'), content_type: type },
      });
      expect([reply.status, reply.headers?.['Idempotency-Replayed'] !== undefined]).toEqual([201, isReplay]);
      const { warnings, content_type: kept } = createdEvidenceAsset.parse(reply.body);
      const detail = expect.stringMatching(new RegExp(`^${warning ?? ''}.*${kept ?? ''}`));
      expect(warnings).toEqual(warning === null ? undefined : [{ pointer: '/content_type', detail }]);
    }
  });

  it('takes base64, passages, and references', async () => {
    const content = Buffer.from('plain');
    expect(await createAsset(stage, { content_base64: content.toString('base64'), name: 'a.txt' })).toMatchObject({
      content_hash: hashOf(content),
      content_type: 'text/plain',
    });
    const passages = await createAsset(stage, { segments: ['one', 'two'] });
    expect(passages).toMatchObject({ segment_count: 2, content_hash: hashOf('one\n\ntwo'), original: 'stored' });
    const reference = { external_uri: 'https://example.com/a?b=c#d', sha256: 'ab'.repeat(32), segments: ['quoted'] };
    expect(await createAsset(stage, reference)).toMatchObject({
      kind: 'reference',
      external_uri: reference.external_uri,
      content_hash: `sha256:${reference.sha256}`,
      size_bytes: null,
      segment_count: 1,
      original: 'none',
    });
    expect(await createAsset(stage, { external_uri: 'urn:isbn:1' })).toMatchObject({
      segment_count: 0,
      segments_root: null,
    });
  });

  it('belongs to the application of the token', async () => {
    const asset = await createAsset(stage, { segments: ['mine'] }, { as: applicationOf(stage, 'other-bot') });
    expect(asset).toMatchObject({ application_key: 'other-bot', created_by: { kind: 'application', id: 'other-bot' } });
  });

  it('is answered alike when it is sent again with its key, and keeps one object', async () => {
    const before = stage.objects.kept.size;
    const send = (further: object = {}) =>
      stage.call('POST', ASSETS, {
        as: stage.manager,
        body: { application_key: 'support-bot', ...further },
        file: fileOf('sent twice', { name: 'twice.txt' }),
        headers: { 'idempotency-key': 'upload-1' },
      });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.headers).toEqual({ ...first.headers, 'Idempotency-Replayed': 'true' });
    expect(again.body).toEqual(first.body);
    const { id, content_hash: hash } = evidenceAsset.parse(first.body);
    const inOtherWords = await send({ attributes: {}, sha256: hash?.slice('sha256:'.length).toUpperCase() });
    expect(inOtherWords).toMatchObject({ status: 201, body: { id } });
    expect(await send({ name: 'another' })).toMatchObject({ status: 409 });
    expect(stage.objects.kept.size).toBe(before + 1);
  });

  it('is a replay also when the limit is smaller by now, which what is new is held to', async () => {
    const send = (content: string, key: string) =>
      stage.call('POST', ASSETS, {
        as: applicationOf(stage),
        file: fileOf(content),
        headers: { 'idempotency-key': key },
      });
    const first = await send('twenty bytes or more of it', 'upload-2');
    await limitBytes(stage, 10);
    try {
      const again = await send('twenty bytes or more of it', 'upload-2');
      expect(again).toEqual({ ...first, headers: { ...first.headers, 'Idempotency-Replayed': 'true' } });
      const refused = { status: 413, code: 'body_too_large' };
      expect(await send('twenty bytes or more of it', 'upload-3')).toMatchObject(refused);
      expect(await send('twenty bytes or more of it, and then some', 'upload-2')).toMatchObject(refused);
      expect(await send('other bytes, under its key', 'upload-2')).toMatchObject({ status: 409 });
    } finally {
      await limitBytes(stage, DEFAULT_SETTINGS.answer_audit_evidence_max_bytes);
    }
  });

  it('stores no byte in clear', async () => {
    await createAsset(stage, { name: 'known-name' }, { file: fileOf('a secret that must not lie about') });
    for (const { bytes } of stage.objects.kept.values())
      expect(Buffer.from(bytes).includes('a secret that must')).toBe(false);
  });
});

describe('many uploads of equal bytes at once', () => {
  it('store one object, by two processes', async () => {
    const stage = await openEvidence();
    const other = { ...stage, ledger: stage.otherLedger };
    const assets = await Promise.all(
      Array.from({ length: 100 }, (_one, n) => createAsset(n % 2 === 0 ? stage : other, {}, { file: fileOf('equal') })),
    );
    expect(new Set(assets.map(({ id }) => id)).size).toBe(100);
    expect(new Set(assets.map(({ content_hash: hash }) => hash)).size).toBe(1);
    expect(stage.objects.kept.size).toBe(1);
    const last = assets.at(-1)?.id ?? '';
    const reply = await stage.call('POST', `${ASSETS}/${last}/download`, { as: stage.manager, body: {} });
    expect(Buffer.from(await readStream(reply)).toString()).toBe('equal');
  });
});
