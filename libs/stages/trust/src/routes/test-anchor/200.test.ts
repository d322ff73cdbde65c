import { describe, expect, it } from '@jest/globals';
import { createFakeAnchor } from '@answer-evidence/testing';
import { openTrust } from '../../fixtures/trust.ts';

const PATH = '/api/trust/anchors/test';
const LOCK = {
  ...{ id: 'lock', type: 'object-lock', url: 'https://s3.example', bucket: 'evidence', region: 'eu-1', prefix: '' },
  ...{ retention_days: 30, access_key_id: 'key', secret_access_key: 'secret', required: false },
};

/** A self-signed certificate is the shortest that can be read; what it says is never used here. */
const TSA = { id: 'tsa', type: 'rfc3161', url: 'https://tsa.example', certificate_pem: 'x', required: true };

describe('POST /api/trust/anchors/test', () => {
  it('has an authority stamp something that is no checkpoint, and keeps nothing of it', async () => {
    const rfc3161 = createFakeAnchor(() => ({
      ...{ kind: 'confirmed' as const, artefact: new Uint8Array(1) },
      ...{ at: 1_795_165_200_000_000, detail: 'a time-stamp' },
    }));
    const others = { file: createFakeAnchor(), 'object-lock': createFakeAnchor() };
    const stage = await openTrust({ anchors: { rfc3161, ...others }, parseCertificates: () => [] });
    const reply = await stage.call('POST', PATH, { as: stage.manager, body: TSA });
    expect(reply).toMatchObject({
      status: 200,
      body: { outcome: 'works', detail: 'a time-stamp', stated_at: '2026-11-20T09:00:00.000000Z' },
    });
    expect(rfc3161.asked).toMatchObject([{ note: '', digest: { length: 32 } }]);
    expect((await stage.call('GET', '/api/trust/anchors', { as: stage.manager })).body).toMatchObject({ items: [] });
    expect((await stage.call('GET', '/api/trust/policy', { as: stage.manager })).body).toMatchObject({ anchors: [] });
  });

  it('says why an authority did not', async () => {
    const failing = createFakeAnchor(() => ({ kind: 'failed', detail: 'no usable response arrived' }));
    const anchors = { rfc3161: failing, file: failing, 'object-lock': failing };
    const stage = await openTrust({ anchors, parseCertificates: () => [] });
    expect((await stage.call('POST', PATH, { as: stage.manager, body: TSA })).body).toEqual({
      ...{ outcome: 'failed', detail: 'no usable response arrived', stated_at: null },
    });
  });

  it('asks a bucket what it is, and puts nothing there', async () => {
    const lock = createFakeAnchor();
    const anchors = { rfc3161: lock, file: lock, 'object-lock': lock };
    const stage = await openTrust({ anchors });
    const ask = async () => (await stage.call('POST', PATH, { as: stage.manager, body: LOCK })).body;
    expect(await ask()).toMatchObject({ outcome: 'works' });
    lock.unreadable = 'no usable response arrived';
    expect(await ask()).toMatchObject({ outcome: 'failed', detail: 'no usable response arrived' });
    lock.fault = 'no-object-lock';
    expect(await ask()).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('object lock') });
    expect(lock.asked).toEqual([]);
  });

  it('does not try a file, which nobody outside has', async () => {
    const stage = await openTrust();
    const body = { id: 'copy', type: 'file' };
    expect((await stage.call('POST', PATH, { as: stage.manager, body })).body).toMatchObject({ outcome: 'not_tried' });
  });
});
