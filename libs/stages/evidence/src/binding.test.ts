import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  applicationOf,
  ASSETS,
  createAsset,
  createRecord,
  type EvidenceTest,
  fileOf,
  openEvidence,
  readStream,
  RECORDS,
  retrieve,
} from './fixtures/evidence.ts';

const ANSWER = { application_key: 'support-bot', question: { text: 'Why?' }, answer: { text: 'So.' } };

describe('an answer made of evidence', () => {
  let stage: EvidenceTest;
  beforeAll(async () => {
    stage = await openEvidence();
  });

  it('takes the source ref of a retrieval as it is and binds its access, which then names the answer', async () => {
    const as = applicationOf(stage);
    const asset = await createAsset(stage, { segments: ['one', 'two'], name: 'faq.md' }, { as });
    const { segments } = await retrieve(stage, asset.id, {}, as);
    const wanted = { segment_ids: [segments[1]?.segment_id], purpose: 'to answer a question' };
    const retrieved = await retrieve(stage, asset.id, wanted, as);
    expect(retrieved.segments).toMatchObject([{ index: 1, text: 'two' }]);
    expect(retrieved.source_ref).toMatchObject({ source_name: 'faq.md', source_hash: asset.content_hash });
    const record = await createRecord(stage, {
      source_refs: [retrieved.source_ref],
      evidence_access_event_ids: [retrieved.access_event_id],
    });
    expect(record.source_refs).toEqual([retrieved.source_ref]);
    expect(record.evidence_access_event_ids).toEqual([retrieved.access_event_id]);
    const reply = await stage.call('GET', `${ASSETS}/${asset.id}/accesses`, {
      as: stage.manager,
      query: { size: '1' },
    });
    expect(reply.body).toMatchObject({
      total: 2,
      items: [
        {
          id: retrieved.access_event_id,
          access: 'retrieve',
          segment_ids: wanted.segment_ids,
          purpose: wanted.purpose,
          source_ref_id: retrieved.source_ref['source_ref_id'],
          actor: { kind: 'application', id: 'support-bot' },
          bound_into: [record.id],
        },
      ],
    });
    const listed = await stage.call('GET', ASSETS, { as, query: { answer_log_id: record.id } });
    expect(listed.body).toMatchObject({ total: 1, items: [{ id: asset.id }] });
  });

  it('binds a download too, by what its headers say', async () => {
    const asset = await createAsset(stage, {}, { file: fileOf('downloaded', { name: 'ä "b".txt' }) });
    const reply = await stage.call('POST', `${ASSETS}/${asset.id}/download`, {
      as: stage.manager,
      body: { range: { offset: 4, length: 100 } },
    });
    expect(Buffer.from(await readStream(reply)).toString()).toBe('loaded');
    expect(reply).toMatchObject({ status: 206, contentType: 'text/plain', stream: { sizeBytes: 6 } });
    expect(reply.headers).toMatchObject({
      'Content-Range': 'bytes 4-9/10',
      'Content-Disposition': `attachment; filename="_ _b_.txt"; filename*=UTF-8''%C3%A4%20%22b%22.txt`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
    });
    const accessId = reply.headers?.['Evidence-Access-Event-Id'];
    const record = await createRecord(stage, { evidence_access_event_ids: [accessId] });
    const path = `${RECORDS}/${record.id}/evidence-assets/${asset.id}/download`;
    const ofRecord = await stage.call('POST', path, { as: stage.manager, body: {} });
    expect(Buffer.from(await readStream(ofRecord)).toString()).toBe('downloaded');
  });

  it.each([
    ['an access of another application', 'other-bot'],
    ['one that there is not', undefined],
  ])('is refused for %s, and nothing is recorded', async (_case, owner) => {
    let accessId = '0199f3c2-0000-7000-8000-00000000dead';
    if (owner !== undefined) {
      const as = applicationOf(stage, owner);
      const asset = await createAsset(stage, { segments: ['theirs'] }, { as });
      accessId = (await retrieve(stage, asset.id, {}, as)).access_event_id;
    }
    const before = (await stage.logs.snapshot(stage.workspace.id)).head.tree_size;
    const reply = await stage.call('POST', RECORDS, {
      as: stage.manager,
      body: { ...ANSWER, idempotency_key: `refused-${owner}`, evidence_access_event_ids: [accessId] },
    });
    expect(reply).toMatchObject({
      status: 422,
      code: 'access_event_not_found',
      errors: [{ pointer: '/evidence_access_event_ids/0' }],
    });
    expect((await stage.logs.snapshot(stage.workspace.id)).head.tree_size).toBe(before);
    // The key was not used up by that.
    const again = { ...ANSWER, idempotency_key: `refused-${owner}` };
    expect(await stage.call('POST', RECORDS, { as: stage.manager, body: again })).toMatchObject({ status: 201 });
  });

  it('is refused for what is gone since, as far as the access had it, and nothing is recorded', async () => {
    const asset = await createAsset(stage, { segments: ['kept', 'taken'] });
    const { segments } = await retrieve(stage, asset.id);
    const [kept, taken] = await Promise.all(
      segments.map(({ segment_id: id }) => retrieve(stage, asset.id, { segment_ids: [id] })),
    );
    const whole = await retrieve(stage, asset.id);
    const record = await createRecord(stage, {
      source_refs: [taken?.source_ref],
      evidence_access_event_ids: [taken?.access_event_id],
    });
    const payload = { redact_source_ref_ids: [taken?.source_ref['source_ref_id']] };
    const body = { event_type: 'redacted', payload };
    await stage.call('POST', `${RECORDS}/${record.id}/events`, { as: stage.manager, body });
    const treeSize = async () => (await stage.logs.snapshot(stage.workspace.id)).head.tree_size;
    const before = await treeSize();
    const ids = [kept, taken, whole].map((retrieved) => retrieved?.access_event_id);
    const refused = { ...ANSWER, evidence_access_event_ids: ids };
    expect(await stage.call('POST', RECORDS, { as: stage.manager, body: refused })).toMatchObject({
      status: 422,
      code: 'access_event_not_found',
      errors: [{ pointer: '/evidence_access_event_ids/1' }, { pointer: '/evidence_access_event_ids/2' }],
    });
    expect(await treeSize()).toBe(before);
    await createRecord(stage, { evidence_access_event_ids: ids.slice(0, 1) });
  });

  it('has evidence beside it, which it was not made of', async () => {
    const record = await createRecord(stage);
    const path = `${RECORDS}/${record.id}/evidence-assets`;
    const file = fileOf('beside', { name: 'beside.txt' });
    const uploaded = await stage.call('POST', `${path}/upload`, { as: stage.manager, body: {}, file });
    expect(uploaded).toMatchObject({ status: 201, body: { application_key: 'support-bot', name: 'beside.txt' } });
    const body = { external_uri: 'https://tickets.example.com/7' };
    const registered = await stage.call('POST', `${path}/register`, { as: applicationOf(stage), body });
    expect(registered).toMatchObject({ status: 201, body: { kind: 'reference', original: 'none' } });
    const ids = [uploaded, registered].map((reply) => (reply.body as { id: string }).id);
    const read = await stage.call('GET', `${RECORDS}/${record.id}`, { as: stage.manager });
    expect(read.body).toMatchObject({
      evidence_access_event_ids: [],
      evidence_links: ids.map((id) => ({ asset_id: id })),
    });
    const download = (id: string | undefined) =>
      stage.call('POST', `${path}/${id}/download`, { as: stage.manager, body: {} });
    expect(Buffer.from(await readStream(await download(ids[0]))).toString()).toBe('beside');
    expect(await download(ids[1])).toMatchObject({ status: 404 });
    const { id: elsewhere } = await createAsset(stage, { segments: ['not of this record'] });
    expect(await download(elsewhere)).toMatchObject({ status: 404 });
  });

  it('is refused a record of another application to put evidence beside', async () => {
    const record = await createRecord(stage);
    const path = `${RECORDS}/${record.id}/evidence-assets/upload`;
    const as = applicationOf(stage, 'other-bot');
    expect(await stage.call('POST', path, { as, body: { segments: ['a'] } })).toMatchObject({ status: 403 });
    const body = { segments: ['a'], application_key: 'other-bot' };
    expect(await stage.call('POST', path, { as: stage.manager, body })).toMatchObject({ status: 422 });
  });
});

describe('the check of a ledger with evidence', () => {
  it('finds nothing in an honest one', async () => {
    const stage = await openEvidence();
    const record = await createRecord(stage);
    const file = fileOf('one\n\ntwo', { name: 'a.txt' });
    const headers = { 'idempotency-key': 'k' };
    await stage.call('POST', `${RECORDS}/${record.id}/evidence-assets/upload`, {
      as: stage.manager,
      body: { attributes: { a: 1 } },
      file,
      headers,
    });
    const whole = await createAsset(stage, {}, { file: fileOf(new Uint8Array([0, 1, 2])) });
    await createAsset(stage, { external_uri: 'urn:a', segments: ['quoted'] });
    const { access_event_id: accessId } = await retrieve(stage, whole.id, { purpose: 'for a test' });
    await createRecord(stage, { evidence_access_event_ids: [accessId] });
    expect(await stage.checkLedger()).toMatchObject({ outcome: 'PASS', findings: [] });
  });
});
