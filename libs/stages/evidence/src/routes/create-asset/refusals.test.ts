import { describe, expect, it } from '@jest/globals';
import { DAY_MICROS } from '@answer-evidence/testing';
import { applicationOf, ASSETS, fileOf, openEvidence } from '../../fixtures/evidence.ts';

describe('POST /api/evidence-assets', () => {
  it('answers 401 without a token', async () => {
    const { call } = await openEvidence();
    expect(await call('POST', ASSETS, { body: { segments: ['a'] } })).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
  });

  it('answers 403 to a token without the scope to create', async () => {
    const { call, application } = await openEvidence();
    const as = { ...application, scopes: ['answer_audit:evidence:read' as const] };
    expect(await call('POST', ASSETS, { as, body: { segments: ['a'] } })).toMatchObject({
      status: 403,
      code: 'scope_missing',
    });
  });

  it('answers 403 to an application that names another, and reads nothing of its file', async () => {
    const stage = await openEvidence();
    const body = { application_key: 'other-bot' };
    const reply = await stage.call('POST', ASSETS, { as: applicationOf(stage), body, file: fileOf('a') });
    expect(reply).toMatchObject({ status: 403, code: 'application_not_allowed' });
    expect(stage.objects.kept.size).toBe(0);
  });

  it('answers 409 to a key that was used with another file, and keeps the first', async () => {
    const stage = await openEvidence();
    const send = (content: string) =>
      stage.call('POST', ASSETS, {
        as: applicationOf(stage),
        file: fileOf(content),
        headers: { 'idempotency-key': 'k' },
      });
    expect(await send('one')).toMatchObject({ status: 201 });
    expect(await send('two')).toMatchObject({ status: 409, code: 'idempotency_payload_mismatch' });
    expect(stage.objects.kept.size).toBe(1);
    expect(await stage.rows('evidence_assets')).toHaveLength(1);
  });

  it('answers 503 while the clock is behind, keeps nothing of it, and replays all the same', async () => {
    const stage = await openEvidence();
    const as = applicationOf(stage);
    const send = (key: string) =>
      stage.call('POST', ASSETS, { as, file: fileOf(`the file of ${key}`), headers: { 'idempotency-key': key } });
    const first = await send('before');
    stage.clockGuard.judgement = { state: 'behind', byMicros: 400 * DAY_MICROS };
    const refused = { status: 503, code: 'clock_behind', headers: { 'Retry-After': '60' } };
    expect(await send('during')).toMatchObject(refused);
    expect(await stage.call('POST', ASSETS, { as, body: { external_uri: 'urn:a' } })).toMatchObject(refused);
    expect(stage.objects.kept.size).toBe(1);
    expect(await stage.rows('evidence_assets')).toHaveLength(1);
    expect(await send('before')).toMatchObject({ status: 201, body: first.body });
    stage.clockGuard.judgement = { state: 'plausible' };
    expect(await send('during')).toMatchObject({ status: 201 });
    expect(stage.objects.kept.size).toBe(2);
  });

  it('answers 503 while the object store is unavailable, and takes references all the same', async () => {
    const stage = await openEvidence();
    stage.objects.isUnavailable = true;
    const as = applicationOf(stage);
    const reply = await stage.call('POST', ASSETS, { as, file: fileOf('a') });
    expect(reply).toMatchObject({ status: 503, code: 'object_store_unavailable' });
    expect(await stage.rows('evidence_assets')).toEqual([]);
    expect(await stage.call('POST', ASSETS, { as, body: { external_uri: 'urn:a' } })).toMatchObject({ status: 201 });
  });
});
