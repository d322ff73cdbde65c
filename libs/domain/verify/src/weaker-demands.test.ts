import { describe, expect, it } from '@jest/globals';
import { formatEntry, hashCore } from '@answer-evidence/commitments';
import { DEFAULT_SHOWN_POLICY, type ShownTrustPolicy, type TrustFile } from '@answer-evidence/contracts';
import { parseHex } from '@answer-evidence/encoding';
import { createVkey, formatVkey } from '@answer-evidence/note';
import { describeWeakerPolicies } from './weaker-demands.ts';

const witness = (n: number) => {
  const name = `w${n}`;
  return `witness ${name} ${formatVkey(createVkey(`${name}.example`, 4, new Uint8Array(32).fill(n)))}\n`;
};
const QUORUM = `${witness(1)}${witness(2)}${witness(3)}group most 2 w1 w2 w3\nquorum most\n`;
const anchor = (id: string, required: boolean) => ({
  id,
  type: 'rfc3161' as const,
  url: 'https://tsa.example',
  certificate_pem: 'PEM',
  required,
});
type Policy = Omit<ShownTrustPolicy, 'version' | 'updated_at'>;
const strong: Policy = {
  ...DEFAULT_SHOWN_POLICY,
  anchors: [anchor('one', true), anchor('two', false)],
  anchors_required: 2,
  witness_policy: QUORUM,
};
const trust: TrustFile = {
  format: 'answer-evidence-trust/v1',
  logs: [],
  witness_policy: QUORUM,
  tsa_roots: [],
  anchors: strong.anchors.map(({ id, type }) => ({
    anchor_id: id,
    type,
    required: id === 'one',
    certificate_pem: 'PEM',
  })),
  anchors_required: 2,
};
const show = (policy: Policy, pins = trust) =>
  describeWeakerPolicies({ shown: { ...policy, version: 2, updated_at: null } }, pins);

describe('a policy beside a trust file', () => {
  it('says nothing while it demands as much or more', () => {
    expect(show(strong)).toEqual([]);
    expect(show({ ...strong, anchors: [...strong.anchors, anchor('three', true)], anchors_required: 3 })).toEqual([]);
    expect(show({ ...strong, witness_policy: QUORUM.replace(' 2 ', ' all ') })).toEqual([]);
    expect(show(DEFAULT_SHOWN_POLICY, { ...trust, witness_policy: null, anchors: [], anchors_required: 0 })).toEqual(
      [],
    );
  });

  it.each([
    [{ anchors_required: 1 }, '1 anchor instead of 2'],
    [
      { anchors: [], anchors_required: 0 },
      'no anchor instead of 2; the anchor one is required no longer; the anchor two is there no longer',
    ],
    [{ anchors: [anchor('one', false), anchor('two', false)] }, 'the anchor one is required no longer'],
    [{ anchors: [anchor('one', true), anchor('other', false)] }, 'the anchor two is there no longer'],
    [{ witness_policy: 'quorum none\n' }, 'no witness instead of 2'],
    [{ witness_policy: QUORUM.replace(' 2 ', ' any ') }, '1 witness instead of 2'],
    [
      { witness_policy: QUORUM.replace('quorum most', 'quorum w1').replace('group most 2 w1 w2 w3\n', '') },
      '1 witness instead of 2',
    ],
    [
      { witness_policy: QUORUM.replace(witness(3), witness(4).replace('w4 ', 'w3 ')) },
      'witnesses that the trust file does not name',
    ],
    [{ witness_policy: 'nonsense' }, 'a witness policy that cannot be read'],
  ])('says what it demands less: %j', (change, words) => {
    expect(show({ ...strong, ...change })).toEqual([
      `the policy that the evidence shows demands less than your trust file: ${words}. Your trust file still decides; before you replace it, ask why`,
    ]);
  });

  it('is read from an entry of the log too, if its core is the one of the entry', () => {
    const id = '0199f3c2-0000-7000-8000-000000000001';
    const actor = { kind: 'user' as const, id, token_id: null };
    const core = { id, nonce: '00'.repeat(16), version: 2, policy: { ...strong, anchors_required: 0 }, actor };
    const type = 'trust_policy_changed';
    const hash = parseHex(hashCore(type, core).slice('sha256:'.length));
    const entry = formatEntry({ type, id, subject: id, seq: 2, hash, at: 1_763_629_200_000_000 });
    const kept = { entry, core, receipt: '' };
    expect(describeWeakerPolicies({ kept: [kept] }, trust)).toEqual([
      expect.stringMatching(/^the policy of 2025-11-20T\S+ demands less than your trust file: 1 anchor instead of 2\./),
    ]);
    const other = { ...kept, core: { ...core, version: 3 } };
    expect(describeWeakerPolicies({ kept: [other], entries: [undefined, entry] }, trust)).toEqual([
      expect.stringMatching(/^the log has announced a change of its trust policy, at leaf 1;/),
    ]);
  });

  it('names the ML-DSA-44 signature that a trust file pins and a policy asks for no longer', () => {
    const id = '0199f3c2-0000-7000-8000-000000000001';
    const actor = { kind: 'user' as const, id, token_id: null };
    const type = 'trust_policy_changed';
    const change = (policy: object) => {
      const core = { id, nonce: '00'.repeat(16), version: 2, policy: { ...strong, ...policy }, actor };
      const hash = parseHex(hashCore(type, core).slice('sha256:'.length));
      const entry = formatEntry({ type, id, subject: id, seq: 2, hash, at: 1_763_629_200_000_000 });
      return { entry, core, receipt: '' };
    };
    const vkey = formatVkey(createVkey('a.example/log', 6, new Uint8Array(1312)));
    const pinned = (lastTreeSize: number | null): TrustFile => ({
      ...trust,
      logs: [{ origin: 'a.example/log', keys: [{ vkey, first_tree_size: 0, last_tree_size: lastTreeSize }] }],
    });
    const say = (policy: object, pins: TrustFile) => describeWeakerPolicies({ kept: [change(policy)] }, pins);
    expect(say({}, pinned(null))).toEqual([expect.stringContaining('no ML-DSA-44 signature of the log')]);
    expect([say({ log_signatures: 'hybrid' }, pinned(null)), say({}, pinned(7)), say({}, trust)]).toEqual([[], [], []]);
    // What a bundle shows of a policy does not say with what the log signs.
    expect(show(strong, pinned(null))).toEqual([]);
  });
});
