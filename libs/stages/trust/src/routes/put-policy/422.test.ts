import { describe, expect, it } from '@jest/globals';
import { DEFAULT_TRUST_POLICY, type PutTrustPolicyRequest } from '@answer-evidence/contracts';
import { createVkey, formatVkey } from '@answer-evidence/note';
import { createFakeAnchor } from '@answer-evidence/testing';
import { createTestWitness, formatWitnessLines } from '../../fixtures/create-witness.ts';
import { openTrust } from '../../fixtures/trust.ts';

const witness = formatVkey(createVkey('w.example', 4, new Uint8Array(32).fill(9)));
const TSA = { id: 'tsa', type: 'rfc3161' as const, url: 'https://tsa.example', required: false };
const LOCK = {
  id: 'lock',
  type: 'object-lock' as const,
  url: 'https://s3.example',
  bucket: 'evidence',
  region: 'us-east-1',
  prefix: '',
  retention_days: 30,
  access_key_id: 'key',
  required: false,
};

/** A policy of so many witnesses. */
function crowd(size: number): string {
  const witnesses = Array.from({ length: size }, (_, n) => createTestWitness(`w${n}.example`, n));
  return `${formatWitnessLines(witnesses)}quorum none\n`;
}

/** What is wrong, and where. */
const CASES: readonly (readonly [string, Partial<PutTrustPolicyRequest>, readonly string[]])[] = [
  [
    'two anchors of one id',
    {
      anchors: [
        { id: 'a', type: 'file' },
        { id: 'a', type: 'file' },
      ],
    },
    ['/anchors/1/id'],
  ],
  ['more anchors demanded than there are', { anchors_required: 1 }, ['/anchors_required']],
  [
    'a file demanded as if it were outside',
    { anchors: [{ id: 'a', type: 'file' }], anchors_required: 1 },
    ['/anchors_required'],
  ],
  ['no certificate', { anchors: [{ ...TSA, certificate_pem: 'nothing' }] }, ['/anchors/0/certificate_pem']],
  ['a bucket without its secret', { anchors: [LOCK] }, ['/anchors/0/secret_access_key']],
  [
    'an address that may not be called',
    { anchors: [{ ...LOCK, url: 'http://169.254.169.254', secret_access_key: 's' }] },
    ['/anchors/0/url'],
  ],
  ['an unreadable witness policy', { witness_policy: 'quorum nobody\n' }, ['/witness_policy']],
  [
    'an impossible quorum',
    { witness_policy: `witness w ${witness} https://w.example\ngroup g 2 w\nquorum g\n` },
    ['/witness_policy'],
  ],
  ['a witness that nobody can ask', { witness_policy: `witness w ${witness}\nquorum w\n` }, ['/witness_policy']],
  ['more witnesses than a checkpoint has room for', { witness_policy: crowd(99) }, ['/witness_policy']],
  [
    'a witness at a refused address',
    { witness_policy: `witness w ${witness} http://[::1]\nquorum w\n` },
    ['/witness_policy'],
  ],
  [
    'a witness whose name looks like another one',
    { witness_policy: `witness w\u200b ${witness} https://w.example\nquorum none\n` },
    ['/witness_policy'],
  ],
  [
    'an anchor whose address or key looks like another one',
    { anchors: [{ ...LOCK, url: 'https://s3.example/\u2060', access_key_id: 'k\u202ey', secret_access_key: 's' }] },
    ['/anchors/0/url', '/anchors/0/access_key_id'],
  ],
  [
    'several things at once',
    { anchors: [{ ...TSA, certificate_pem: 'nothing' }], anchors_required: 2, witness_policy: '' },
    ['/anchors/0/certificate_pem', '/anchors_required', '/witness_policy'],
  ],
];

describe('PUT /api/trust/policy', () => {
  it.each(CASES)('answers 422 to %s, names every place, and keeps nothing', async (_what, patch, pointers) => {
    const stage = await openTrust();
    const before = (await stage.rows('ledger_leaves')).length;
    const body = { ...DEFAULT_TRUST_POLICY, ...patch };
    const reply = await stage.call('PUT', '/api/trust/policy', { as: stage.manager, body });
    expect(reply).toMatchObject({ status: 422, code: 'trust_policy_not_valid' });
    expect(reply.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
    expect(await stage.rows('ledger_leaves')).toHaveLength(before);
    expect(await stage.rows('anchor_secrets')).toEqual([]);
  });

  it('takes as many witnesses as a checkpoint has room for', async () => {
    const stage = await openTrust();
    const body = { ...DEFAULT_TRUST_POLICY, witness_policy: crowd(98) };
    expect(await stage.call('PUT', '/api/trust/policy', { as: stage.manager, body })).toMatchObject({ status: 200 });
  });

  it('answers 422 to what is not of the form', async () => {
    const stage = await openTrust();
    for (const patch of [{ checkpoint_interval_seconds: 0 }, { anchors: [{ id: 'A', type: 'file' }] }, { quorum: 1 }]) {
      const body = { ...DEFAULT_TRUST_POLICY, ...patch };
      const reply = await stage.call('PUT', '/api/trust/policy', { as: stage.manager, body });
      expect(reply).toMatchObject({ status: 422, code: 'schema_violation' });
    }
  });

  it('answers 422 for a bucket that says of itself that nothing can be locked in it, and keeps nothing', async () => {
    const bucket = createFakeAnchor();
    const anchors = { file: createFakeAnchor(), rfc3161: createFakeAnchor(), 'object-lock': bucket };
    const stage = await openTrust({ anchors });
    bucket.fault = 'no-object-lock';
    const before = (await stage.rows('ledger_leaves')).length;
    const lock = { ...LOCK, secret_access_key: 'secret' };
    const body = { ...DEFAULT_TRUST_POLICY, anchors: [{ id: 'disk', type: 'file' }, lock] };
    const reply = await stage.call('PUT', '/api/trust/policy', { as: stage.manager, body });
    expect(reply).toMatchObject({
      status: 422,
      code: 'trust_policy_not_valid',
      errors: [
        {
          pointer: '/anchors/1/bucket',
          detail: expect.stringMatching(/^must be a bucket with object lock.*; create one/),
        },
      ],
    });
    expect((await stage.rows('ledger_leaves')).length).toBe(before);
    bucket.fault = undefined;
    expect((await stage.call('PUT', '/api/trust/policy', { as: stage.manager, body })).status).toBe(200);
    // The secret that is kept now is what the bucket is asked with, where none is sent.
    bucket.fault = 'wrong-secret';
    const again = { ...body, anchors: [LOCK] };
    expect(await stage.call('PUT', '/api/trust/policy', { as: stage.manager, body: again })).toMatchObject({
      status: 422,
      errors: [{ pointer: '/anchors/0/secret_access_key' }],
    });
  });
});
