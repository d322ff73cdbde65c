import { describe, expect, it } from '@jest/globals';
import { ASSETS, fileOf, limitBytes, openEvidence } from '../../fixtures/evidence.ts';

const FORM = 'with a file';

describe('POST /api/evidence-assets answers 422 and keeps nothing', () => {
  it.each<readonly [string, object, string, string, string | undefined]>([
    ['nothing to keep', {}, 'schema_violation', '', undefined],
    ['two contents', { content_base64: 'YQ==', external_uri: 'urn:a' }, 'schema_violation', '', undefined],
    ['what is no base64', { content_base64: 'a b' }, 'schema_violation', '/content_base64', undefined],
    ['empty base64', { content_base64: '' }, 'content_empty', '/content_base64', undefined],
    ['an empty file', {}, 'content_empty', '/file', ''],
    ['an unknown member', { segments: ['a'], retention: 1 }, 'schema_violation', '/retention', undefined],
    ['a path as a name', { segments: ['a'], name: '../etc/passwd' }, 'schema_violation', '/name', undefined],
    [
      'a name that turns its reading round',
      { segments: ['a'], name: 'cod\u202eexe.txt' },
      'schema_violation',
      '/name',
      undefined,
    ],
    ['a name with a line break', { segments: ['a'], name: 'a\nb' }, 'schema_violation', '/name', undefined],
    ['a name of dots', { segments: ['a'], name: '..' }, 'schema_violation', '/name', undefined],
    [
      'a content type that is not one',
      { segments: ['a'], content_type: 'text/plain\r\nX: y' },
      'schema_violation',
      '/content_type',
      undefined,
    ],
    [
      'a hash that is not hexadecimal',
      { segments: ['a'], sha256: 'XY'.repeat(32) },
      'schema_violation',
      '/sha256',
      undefined,
    ],
    ['another hash', { sha256: 'ab'.repeat(32) }, 'hash_mismatch', '/sha256', 'content'],
    ['another hash of passages', { sha256: 'ab'.repeat(32), segments: ['a'] }, 'hash_mismatch', '/sha256', undefined],
    ['no passage', { segments: [] }, 'schema_violation', '/segments', undefined],
    ['an empty passage', { segments: ['a', ''] }, 'schema_violation', '/segments/1', undefined],
    ['too many passages', { segments: new Array(2_001).fill('a') }, 'schema_violation', '/segments', undefined],
    ['too long passages', { segments: ['ä'.repeat(1_100_000)] }, 'schema_violation', '/segments', undefined],
    [
      'large attributes',
      { segments: ['a'], attributes: { a: 'x'.repeat(17_000) } },
      'schema_violation',
      '/attributes',
      undefined,
    ],
  ])('for %s', async (_, body, code, pointer, content) => {
    const stage = await openEvidence();
    const reply = await stage.call('POST', ASSETS, {
      as: stage.manager,
      body: { application_key: 'support-bot', ...body },
      ...(content === undefined ? {} : { file: fileOf(content, { name: FORM }) }),
    });
    expect(reply).toMatchObject({ status: 422, code, errors: [{ pointer }] });
    expect(stage.objects.kept.size).toBe(0);
    expect(await stage.rows('evidence_assets')).toEqual([]);
  });

  it.each([
    'https://user:password@example.com/a',
    'https://user@example.com/a',
    'https://@example.com/a',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,a',
    'ftp://example.com/a',
    'http:///a',
    'https:example.com',
    '//example.com/a',
    'example.com/a',
    'https://example.com/a b',
    'https://exämple.com/a',
    'https://bucket.s3.amazonaws.com/a?X-Amz-Signature=abc',
    'https://example.com/a?access_token=abc',
    'https://example.com/a?api-key=abc',
    'https://example.com/a?b=c&client_secret=abc',
    'https://example.com/a#access_token=abc&token_type=bearer',
    'https://example.com/a#?b=c&id_token=abc',
  ])('for the external URI %s', async (uri) => {
    const stage = await openEvidence();
    const body = { application_key: 'support-bot', external_uri: uri };
    const reply = await stage.call('POST', ASSETS, { as: stage.manager, body });
    expect(reply).toMatchObject({
      status: 422,
      code: 'external_uri_not_accepted',
      errors: [{ pointer: '/external_uri' }],
    });
    expect(await stage.rows('evidence_assets')).toEqual([]);
  });

  it('for a user who names no application', async () => {
    const { call, manager } = await openEvidence();
    const reply = await call('POST', ASSETS, { as: manager, body: { segments: ['a'] } });
    expect(reply).toMatchObject({ status: 422, code: 'schema_violation', errors: [{ pointer: '/application_key' }] });
  });

  it.each([
    ['a/b', 'b'],
    ['a/..', null],
  ])('for no file whose name (%s) cannot be kept: it is kept as %s', async (given, name) => {
    const { call, manager } = await openEvidence();
    const file = fileOf('a', { name: given });
    const reply = await call('POST', ASSETS, { as: manager, body: { application_key: 'support-bot' }, file });
    expect(reply).toMatchObject({ status: 201, body: { name } });
  });
});

describe('POST /api/evidence-assets answers 413', () => {
  it('as soon as the limit is passed, without reading the rest', async () => {
    const stage = await openEvidence();
    await limitBytes(stage, 100);
    let taken = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        taken += 60;
        yield await Promise.resolve(new Uint8Array(60));
      }
    }
    const file = { name: 'a', contentType: undefined, bytes: endless() };
    const reply = await stage.call('POST', ASSETS, { as: stage.manager, body: { application_key: 'a' }, file });
    expect(reply).toMatchObject({ status: 413, code: 'body_too_large' });
    expect(taken).toBeLessThan(1_000_000);
    expect(stage.objects.kept.size).toBe(0);
  });

  it('when the limit was lowered while the file came in', async () => {
    const stage = await openEvidence();
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(60);
      await limitBytes(stage, 50);
    }
    const file = { name: 'a', contentType: undefined, bytes: slow() };
    const reply = await stage.call('POST', ASSETS, { as: stage.manager, body: { application_key: 'a' }, file });
    expect(reply).toMatchObject({ status: 413, code: 'body_too_large' });
    expect(stage.objects.kept.size).toBe(0);
  });
});

describe('an upload that ends half-way', () => {
  it('leaves nothing visible', async () => {
    const stage = await openEvidence();
    class CallerLeft extends Error {}
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(new Uint8Array(60));
      throw new CallerLeft('the connection ended');
    }
    const file = { name: 'a', contentType: undefined, bytes: broken() };
    const request = stage.call('POST', ASSETS, { as: stage.manager, body: { application_key: 'a' }, file });
    await expect(request).rejects.toThrow(CallerLeft);
    expect(stage.objects.kept.size).toBe(0);
    expect(await stage.rows('evidence_assets')).toEqual([]);
  });
});
