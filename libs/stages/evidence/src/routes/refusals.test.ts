import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Scope } from '@answer-evidence/contracts';
import {
  applicationOf,
  ASSETS,
  createAsset,
  createRecord,
  type EvidenceTest,
  fileOf,
  openEvidence,
  RECORDS,
} from '../fixtures/evidence.ts';

const NOBODY = '0199f3c2-0000-7000-8000-00000000dead';
const READ: Scope = 'answer_audit:evidence:read';
const CREATE: Scope = 'answer_audit:create';

type Method = 'GET' | 'POST';
type Ids = { readonly asset: string; readonly record: string };

/**
 * Every route that names an asset or a record, and the scope that an application needs for it; null: it is for
 * managers.
 */
const NAMED: readonly (readonly [string, Method, (ids: Ids) => string, Scope | null, object | undefined])[] = [
  ['reading an asset', 'GET', ({ asset }) => `${ASSETS}/${asset}`, READ, undefined],
  ['its accesses', 'GET', ({ asset }) => `${ASSETS}/${asset}/accesses`, null, undefined],
  ['retrieving it', 'POST', ({ asset }) => `${ASSETS}/${asset}/retrieve`, READ, {}],
  ['downloading it', 'POST', ({ asset }) => `${ASSETS}/${asset}/download`, READ, {}],
  [
    'downloading it under a record',
    'POST',
    ({ record, asset }) => `${RECORDS}/${record}/evidence-assets/${asset}/download`,
    READ,
    {},
  ],
  [
    'an upload under a record',
    'POST',
    ({ record }) => `${RECORDS}/${record}/evidence-assets/upload`,
    CREATE,
    { segments: ['a'] },
  ],
  [
    'a registration under a record',
    'POST',
    ({ record }) => `${RECORDS}/${record}/evidence-assets/register`,
    CREATE,
    { external_uri: 'urn:a' },
  ],
];

let stage: EvidenceTest;
let ids: Ids;
beforeAll(async () => {
  stage = await openEvidence();
  const { id: record } = await createRecord(stage);
  const path = `${RECORDS}/${record}/evidence-assets/upload`;
  const reply = await stage.call('POST', path, { as: stage.manager, body: {}, file: fileOf('a', { name: 'a.txt' }) });
  ids = { asset: (reply.body as { id: string }).id, record };
});

/** The reply, and by how many leaves the log has grown for it. */
async function ask(method: Method, path: string, call: Parameters<EvidenceTest['call']>[2]) {
  const before = (await stage.rows('ledger_leaves')).length;
  const { status, code } = await stage.call(method, path, call);
  return { status, code, leaves: (await stage.rows('ledger_leaves')).length - before };
}

describe.each(NAMED)('%s', (_, method, pathOf, scope, body) => {
  const send = (as: object | undefined, path = pathOf(ids)) =>
    ask(method, path, { ...(body && { body }), ...(as && { as }) } as Parameters<EvidenceTest['call']>[2]);

  it('is answered 401 without a token', async () => {
    expect(await send(undefined)).toEqual({ status: 401, code: 'unauthenticated', leaves: 0 });
  });

  it('is answered 403 to a token without the scope, and to the token of another application', async () => {
    const all: readonly Scope[] = ['answer_audit:create', 'answer_audit:read', 'answer_audit:evidence:read'];
    const scopes = all.filter((one) => one !== scope);
    expect(await send({ ...applicationOf(stage), scopes })).toMatchObject({ status: 403, leaves: 0 });
    const code = scope === null ? 'token_kind_not_allowed' : 'application_not_allowed';
    expect(await send(applicationOf(stage, 'other-bot'))).toEqual({ status: 403, code, leaves: 0 });
  });

  it('is answered 404 for ids that nothing has, and for what is no id', async () => {
    const strange = [pathOf({ ...ids, asset: NOBODY }), pathOf({ ...ids, record: NOBODY })].filter(
      (path) => path !== pathOf(ids),
    );
    expect(strange).not.toEqual([]);
    for (const path of [...strange, pathOf({ asset: 'no-id', record: 'no-id' })])
      expect(await send(stage.manager, path)).toEqual({ status: 404, code: 'not_found', leaves: 0 });
  });
});

describe('the accesses of an asset', () => {
  it('are shown to managers and to no other member', async () => {
    const path = `${ASSETS}/${ids.asset}/accesses`;
    expect(await ask('GET', path, { as: stage.member })).toMatchObject({ status: 403, code: 'role_not_allowed' });
    expect(await ask('GET', path, { as: stage.manager })).toMatchObject({ status: 200 });
  });
});

describe('evidence under a record', () => {
  it.each<readonly [string, 'upload' | 'register', object, string]>([
    ['a path as its name', 'upload', { segments: ['a'], name: '../a' }, '/name'],
    ['a name that turns its reading round', 'register', { external_uri: 'urn:a', name: 'a\u202eb' }, '/name'],
    [
      'the application of another record',
      'register',
      { external_uri: 'urn:a', application_key: 'x' },
      '/application_key',
    ],
    ['nothing in it', 'upload', {}, ''],
    ['a URI with credentials', 'register', { external_uri: 'https://a:b@example.com' }, '/external_uri'],
  ])('is refused with 422 for %s', async (_, last, body, pointer) => {
    const before = (await stage.rows('ledger_leaves')).length;
    const path = `${RECORDS}/${ids.record}/evidence-assets/${last}`;
    const reply = await stage.call('POST', path, { as: stage.manager, body });
    expect(reply).toMatchObject({ status: 422, errors: [{ pointer }] });
    expect((await stage.rows('ledger_leaves')).length).toBe(before);
  });
});

describe('while the object store is unavailable', () => {
  it('what needs it is answered 503, and what does not goes on', async () => {
    const whole = await createAsset(stage, { content_base64: 'AAEC' });
    const split = await createAsset(stage, { segments: ['one', 'two'] });
    stage.objects.isUnavailable = true;
    try {
      const away = { status: 503, code: 'object_store_unavailable' };
      const path = `${RECORDS}/${ids.record}/evidence-assets/upload`;
      const upload = await ask('POST', path, { as: stage.manager, body: {}, file: fileOf('b') });
      expect(upload).toEqual({ ...away, leaves: 0 });
      const retrieve = (id: string) => ask('POST', `${ASSETS}/${id}/retrieve`, { as: stage.manager });
      expect(await retrieve(whole.id)).toMatchObject(away);
      expect(await retrieve(split.id)).toMatchObject({ status: 200 });
      expect(await ask('GET', `${ASSETS}/${whole.id}`, { as: stage.manager })).toMatchObject({ status: 200 });
      expect(await stage.call('POST', `${ASSETS}/${whole.id}/download`, { as: stage.manager })).toMatchObject(away);
    } finally {
      stage.objects.isUnavailable = false;
    }
  });
});
