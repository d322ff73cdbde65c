import { describe, expect, it } from '@jest/globals';
import { type CheckName, DEFAULT_SHOWN_POLICY, type ProofBundle, type TrustFile } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { equalBytes, formatBase64, formatTimestamp, utf8 } from '@answer-evidence/encoding';
import {
  createVkey,
  formatCosignatureLine,
  formatVkey,
  parseCosignature,
  parseNote,
  signCosignature,
} from '@answer-evidence/note';
import { believeToken } from '../../fixtures/believed-token.ts';
import { bundleOf, logViewOf, trustOf } from '../../fixtures/bundles.ts';
import { createFixtureSigner, verifySignature } from '../../fixtures/signer.ts';
import { createWorkedLog } from '../../fixtures/worked-log.ts';
import { verifyBundle, type VerifyOptions } from '../index.ts';

const { ledger, correctedId } = await createWorkedLog();
const plain = bundleOf(ledger, correctedId);
const { text } = parseNote(plain.checkpoint);

function createWitness(name: string, seedByte: number) {
  const signer = createFixtureSigner(seedByte);
  const vkey = createVkey(name, 4, signer.publicKey);
  const cosign = (of = text, seconds = 1_795_000_000) => {
    const { signature } = signCosignature(of, vkey, seconds, signer.sign);
    return formatCosignatureLine(vkey, parseCosignature(signature));
  };
  return { name, vkey: formatVkey(vkey), cosign };
}
const one = createWitness('one.example', 31);
const two = createWitness('two.example', 32);
const three = createWitness('three.example', 33);
const POLICY = [one, two, three].map(({ name, vkey }) => `witness ${name} ${vkey} https://${name}\n`).join('');
const QUORUM = `${POLICY}group two-of-three 2 one.example two.example three.example\nquorum two-of-three\n`;

/** The bundle with more signature lines under its checkpoint, wherever that stands. */
function cosigned(lines: readonly string[], more: Partial<ProofBundle> = {}): ProofBundle {
  const bundle: ProofBundle = { ...structuredClone(plain), ...more };
  const added = lines.join('');
  bundle.checkpoint += added;
  for (const leaf of [bundle.record, ...bundle.events, ...bundle.attachments]) leaf.proof += added;
  return bundle;
}

async function verify(bundle: ProofBundle, pins: Partial<TrustFile> = {}, options: Partial<VerifyOptions> = {}) {
  const result = await verifyBundle(bundle, { ...trustOf(ledger), ...pins }, { verifySignature, ...options });
  const outcomeOf = (name: CheckName) => result.checks.find(({ check }) => check === name)?.outcome;
  return {
    witnesses: outcomeOf('witness_cosignatures'),
    anchor: outcomeOf('external_anchor'),
    anchored: outcomeOf('anchored'),
    anchoring: result.anchoring,
    sequenced: result.sequenced,
    others: result.checks.filter(({ check, outcome }) => outcome === 'FAIL' && !/anchor|witness/.test(check)),
  };
}

describe('witness_cosignatures', () => {
  const pins = { witness_policy: QUORUM };

  it('does not apply without a policy, or with one that asks for nothing', async () => {
    expect(await verify(plain)).toMatchObject({ witnesses: 'NA', anchoring: 'NOT_ANCHORED' });
    expect(await verify(plain, { witness_policy: 'quorum none\n' })).toMatchObject({ witnesses: 'NA' });
  });

  it('is skipped when the workspace asks for witnesses and the verifier pins none', async () => {
    const policy = { ...DEFAULT_SHOWN_POLICY, witness_policy: QUORUM, version: 1, updated_at: null };
    expect(await verify(cosigned([one.cosign()], { policy }))).toMatchObject({
      witnesses: 'SKIP',
      anchoring: 'PENDING',
    });
  });

  it('passes with a quorum and is skipped below it', async () => {
    expect(await verify(cosigned([one.cosign(), three.cosign()]), pins)).toMatchObject({
      witnesses: 'PASS',
      others: [],
    });
    expect(await verify(cosigned([one.cosign()]), pins)).toMatchObject({ witnesses: 'SKIP', anchoring: 'PENDING' });
    expect(await verify(plain, pins)).toMatchObject({ witnesses: 'SKIP' });
  });

  it('counts a witness once, however often its line stands there, and no witness that nobody asked for', async () => {
    const stranger = createWitness('four.example', 34);
    const lines = [one.cosign(), one.cosign(), stranger.cosign()];
    expect(await verify(cosigned(lines), pins)).toMatchObject({ witnesses: 'SKIP' });
  });

  it('never counts the log’s own key, whatever the policy calls it', async () => {
    const own = createVkey('own.example', 4, ledger.signer.publicKey);
    const { signature } = signCosignature(text, own, 1_795_000_000, ledger.signer.sign);
    const line = formatCosignatureLine(own, parseCosignature(signature));
    const policy = `witness own ${formatVkey(own)} https://own.example\nquorum own\n`;
    expect(await verify(cosigned([line]), { witness_policy: policy })).toMatchObject({ witnesses: 'SKIP' });
  });

  it('fails for a line in a pinned witness’s name that is not over this checkpoint', async () => {
    const lines = [one.cosign(), two.cosign(text.replace(/\n\d+\n/, '\n1\n'))];
    expect(await verify(cosigned(lines), pins)).toMatchObject({ witnesses: 'FAIL', anchored: 'NA' });
  });

  it('fails when the policy that the bundle shows cannot be read: it may ask for witnesses', async () => {
    const policy = { ...DEFAULT_SHOWN_POLICY, witness_policy: 'quorum nobody\n', version: 1, updated_at: null };
    expect(await verify(cosigned([], { policy }))).toMatchObject({ witnesses: 'FAIL' });
  });

  it('fails when the pinned policy cannot be read', async () => {
    expect(await verify(plain, { witness_policy: 'quorum nobody\n' })).toMatchObject({ witnesses: 'FAIL' });
  });
});

describe('external_anchor and anchored', () => {
  const token = { anchor_id: 'tsa', type: 'rfc3161' as const, artefact: formatBase64(utf8('token of tsa')) };
  const second = { ...token, anchor_id: 'tsa2', artefact: formatBase64(utf8('token of tsa2')) };
  const lock = { anchor_id: 'lock', type: 'object-lock' as const, artefact: formatBase64(utf8('{}')) };
  const pin = (anchorId: string, required = false) => ({
    anchor_id: anchorId,
    type: 'rfc3161' as const,
    required,
    certificate_pem: `root of ${anchorId}`,
  });
  const pins = { anchors: [pin('tsa')] };
  /** Holds for a token and a root that belong together, over this checkpoint. */
  const verifyTimestamp: VerifyOptions['verifyTimestamp'] = (der, digest, [root]) => {
    const name = new TextDecoder().decode(der).replace('token of ', '');
    if (!equalBytes(digest, sha256(utf8(text))) || root?.includes(`root of ${name}`) !== true)
      return Promise.reject(new Error('it does not hold'));
    const genTimeMicros = name === 'tsa' ? 1_795_000_000_000_000 : 1_795_000_060_000_000;
    return Promise.resolve(believeToken({ genTimeMicros, authority: name, pinSha256: `hash of the root of ${name}` }));
  };
  const options = { verifyTimestamp };

  it('do not apply without a policy', async () => {
    expect(await verify(plain, {}, options)).toMatchObject({ anchor: 'NA', anchored: 'NA', anchoring: 'NOT_ANCHORED' });
  });

  it('never call a file of the service’s own an external anchor', async () => {
    const file = { anchor_id: 'disk', type: 'file' as const, required: false, certificate_pem: null };
    const bundle = cosigned([], { anchors: [{ anchor_id: 'disk', type: 'file', artefact: 'e30=' }] });
    expect(await verify(bundle, { anchors: [file] }, options)).toMatchObject({
      anchor: 'SKIP',
      anchored: 'NA',
      anchoring: 'NOT_ANCHORED',
    });
  });

  it('are skipped when the workspace has anchors and the verifier pins none', async () => {
    expect(await verify(cosigned([], { anchors: [token] }), {}, options)).toMatchObject({
      anchor: 'SKIP',
      anchored: 'SKIP',
      anchoring: 'PENDING',
    });
  });

  it('are skipped while the anchor is pending, or when the verifier cannot read tokens', async () => {
    expect(await verify(plain, pins, options)).toMatchObject({
      anchor: 'SKIP',
      anchored: 'SKIP',
      anchoring: 'PENDING',
    });
    expect(await verify(cosigned([], { anchors: [token] }), pins)).toMatchObject({
      anchor: 'SKIP',
      anchoring: 'PENDING',
    });
  });

  it('pass when the token leads to the pinned root, and say until when the record came into the log', async () => {
    expect(await verify(cosigned([], { anchors: [token] }), pins, options)).toMatchObject({
      anchor: 'PASS',
      anchored: 'PASS',
      anchoring: 'ANCHORED',
      sequenced: { not_later_than: '2026-11-18T11:06:40.000000Z' },
      others: [],
    });
    const byRoot = { tsa_roots: ['root of tsa'] };
    expect(await verify(cosigned([], { anchors: [token] }), byRoot, options)).toMatchObject({ anchored: 'PASS' });
  });

  it('never anchor a log that the trust file does not name, however honest the authority', async () => {
    const stamped = cosigned([], { anchors: [token] });
    const keys = trustOf(ledger).logs.flatMap((log) => log.keys);
    const elsewhere = { ...pins, logs: [{ origin: 'evidence.example/acme/00000000', keys }] };
    expect(await verify(stamped, elsewhere, options)).toMatchObject({
      anchor: 'PASS',
      anchored: 'FAIL',
      anchoring: 'NOT_ANCHORED',
      sequenced: { not_later_than: null },
      others: [{ check: 'checkpoint_signature' }],
    });
    expect(await verify(stamped, pins, options)).toMatchObject({ anchored: 'PASS', anchoring: 'ANCHORED' });
  });

  it('never anchor a leaf that is not in the tree', async () => {
    const bundle = cosigned([], { anchors: [token] });
    const other = formatBase64(new Uint8Array(32));
    bundle.record.proof = bundle.record.proof.replace(/\n[A-Za-z0-9+/]{43}=\n/, `\n${other}\n`);
    expect(await verify(bundle, pins, options)).toMatchObject({
      anchor: 'PASS',
      anchored: 'FAIL',
      anchoring: 'NOT_ANCHORED',
      others: [{ check: 'merkle_inclusion' }],
    });
  });

  it('fail for a token that does not hold, and nothing is anchored then', async () => {
    const wrong = { ...token, artefact: second.artefact };
    expect(await verify(cosigned([], { anchors: [wrong] }), pins, options)).toMatchObject({
      anchor: 'FAIL',
      anchored: 'FAIL',
      anchoring: 'NOT_ANCHORED',
    });
  });

  it('need every required anchor and as many as are demanded', async () => {
    const both = { anchors: [pin('tsa'), pin('tsa2')], anchors_required: 2 };
    const one = cosigned([], { anchors: [token] });
    const two = cosigned([], { anchors: [token, second] });
    expect(await verify(one, both, options)).toMatchObject({ anchor: 'SKIP', anchoring: 'PENDING' });
    expect(await verify(two, both, options)).toMatchObject({ anchor: 'PASS', anchoring: 'ANCHORED' });
    const required = { anchors: [pin('tsa'), pin('tsa2', true)] };
    expect(await verify(one, required, options)).toMatchObject({ anchor: 'SKIP' });
    expect(await verify(two, required, options)).toMatchObject({ anchor: 'PASS' });
  });

  it('count tokens by the certificates that they lead to when only roots are pinned, whatever the bundle calls them', async () => {
    const byRoots = { tsa_roots: ['root of tsa'], anchors_required: 2 };
    const renamed = { ...token, anchor_id: 'another' };
    expect(await verify(cosigned([], { anchors: [token, renamed] }), byRoots, options)).toMatchObject({
      anchor: 'SKIP',
      anchoring: 'PENDING',
    });
    expect(await verify(cosigned([], { anchors: [token, token] }), byRoots, options)).toMatchObject({ anchor: 'SKIP' });
    const bothRoots = { ...byRoots, tsa_roots: ['root of tsa', 'root of other'] };
    const other = { ...token, anchor_id: 'other', artefact: formatBase64(utf8('token of other')) };
    expect(await verify(cosigned([], { anchors: [token, other] }), bothRoots, options)).toMatchObject({
      anchor: 'PASS',
      anchoring: 'ANCHORED',
    });
  });

  it('take an object under a lock as confirmed only from anyone who confirmed it', async () => {
    const locked = {
      anchors: [{ anchor_id: 'lock', type: 'object-lock' as const, required: false, certificate_pem: null }],
    };
    const bundle = cosigned([], { anchors: [lock] });
    expect(await verify(bundle, locked, options)).toMatchObject({ anchor: 'SKIP', anchoring: 'PENDING' });
    const confirmedAnchors = new Set(['lock']);
    expect(await verify(bundle, locked, { ...options, confirmedAnchors })).toMatchObject({ anchor: 'PASS' });
  });

  it('anchored needs the witnesses too, and fails when theirs fails', async () => {
    const all = { ...pins, witness_policy: QUORUM };
    const anchors = { anchors: [token] };
    expect(await verify(cosigned([one.cosign()], anchors), all, options)).toMatchObject({
      anchor: 'PASS',
      anchored: 'SKIP',
      anchoring: 'PENDING',
    });
    const enough = [one.cosign(), two.cosign()];
    expect(await verify(cosigned(enough, anchors), all, options)).toMatchObject({ anchoring: 'ANCHORED' });
    const wrong = [one.cosign(), two.cosign('another\n1\nroot\n')];
    expect(await verify(cosigned(wrong, anchors), all, options)).toMatchObject({
      witnesses: 'FAIL',
      anchored: 'FAIL',
      anchoring: 'NOT_ANCHORED',
    });
  });
});

describe('times of outside parties', () => {
  // The youngest leaf that the bundle shows, and the youngest of its tree.
  const leaves = ledger.tables.ledger_leaves;
  const ofBundle = [plain.record, ...plain.events, ...plain.attachments].map(({ leaf_index: index }) => index);
  const atOf = (index: number) => leaves[index]?.at ?? 0;
  const youngest = Math.max(...ofBundle.map(atOf));
  const TOLERANCE = 300_000_000;
  const anchor = (name: string) => ({
    anchor_id: name,
    type: 'rfc3161' as const,
    artefact: formatBase64(utf8(`token of ${name}`)),
  });
  const pinned = (...names: readonly string[]) =>
    names.map((name) => ({ anchor_id: name, type: 'rfc3161' as const, required: false, certificate_pem: name }));
  /** Believes every token, which states the time that is given for its name. */
  const stating = (times: Readonly<Record<string, number>>): Partial<VerifyOptions> => ({
    verifyTimestamp: (der) => {
      const name = new TextDecoder().decode(der).replace('token of ', '');
      return Promise.resolve(
        believeToken({ genTimeMicros: times[name] ?? 0, authority: name, pinSha256: name.slice(0, 1) }),
      );
    },
  });
  const stamped = (...names: readonly string[]) => cosigned([], { anchors: names.map(anchor) });

  it.each([
    ['years before the leaves', 1, 'FAIL', null],
    ['more than the tolerance before the youngest leaf', youngest - TOLERANCE - 1, 'FAIL', null],
    ['the tolerance before the youngest leaf', youngest - TOLERANCE, 'PASS', youngest - TOLERANCE],
    ['long after it', youngest + 1e15, 'PASS', youngest + 1e15],
  ])('are refused by the leaves under the tree: a token of %s', async (_, time, outcome, bound) => {
    const found = await verify(stamped('tsa'), { anchors: pinned('tsa') }, stating({ tsa: time }));
    expect(found).toMatchObject({
      anchor: outcome,
      anchored: outcome,
      others: [],
      sequenced: { not_later_than: bound === null ? null : formatTimestamp(bound) },
    });
  });

  it('are named, with the time of the leaf', async () => {
    const pins = { ...trustOf(ledger), anchors: pinned('tsa') };
    const { checks } = await verifyBundle(stamped('tsa'), pins, { verifySignature, ...stating({ tsa: 1_000_000 }) });
    expect(checks.find(({ check }) => check === 'external_anchor')?.detail).toBe(
      `the token of the anchor tsa states 1970-01-01T00:00:01.000000Z, but attachment 2 under its tree has the later time ${formatTimestamp(youngest)}`,
    );
  });

  it('are compared with leaves that the bundle does not show, where the log is at hand', async () => {
    const tree = leaves.length;
    const late = { name: `leaf ${tree - 1}`, at: youngest + 2 * TOLERANCE };
    const log = {
      ...logViewOf(ledger),
      youngestBelow: () => Promise.resolve(late),
    };
    const pins = { anchors: pinned('tsa'), witness_policy: QUORUM };
    const both = cosigned([one.cosign(), two.cosign()], { anchors: [anchor('tsa')] });
    const times = stating({ tsa: youngest });
    expect(await verify(both, pins, times)).toMatchObject({ anchor: 'PASS', witnesses: 'PASS', anchored: 'PASS' });
    expect(await verify(both, pins, { ...times, log })).toMatchObject({ anchor: 'FAIL', witnesses: 'PASS' });
  });

  it.each([
    ['1970', 0],
    ['more than the tolerance before the youngest leaf', Math.floor((youngest - TOLERANCE) / 1e6) - 1],
  ])('of %s fail the cosignature that states them, and all that stands on it', async (_, seconds) => {
    const lines = [one.cosign(), two.cosign(), three.cosign(text, seconds)];
    const anchors = { anchors: [anchor('tsa')] };
    const pins = { witness_policy: QUORUM, anchors: pinned('tsa') };
    expect(await verify(cosigned(lines, anchors), pins, stating({ tsa: youngest }))).toMatchObject({
      witnesses: 'FAIL',
      anchored: 'FAIL',
      anchoring: 'NOT_ANCHORED',
      sequenced: { not_later_than: null },
    });
  });

  it.each([
    [1, ['a'], 0],
    [1, ['a', 'b', 'c'], 0],
    [2, ['a', 'b'], 1],
    [2, ['c', 'b', 'a'], 1],
    [3, ['a', 'b', 'c'], 2],
  ])('bound by the %d smallest of %j', async (needed, names, expected) => {
    const times = { a: youngest + 1e6, b: youngest + 2e6, c: youngest + 3e6 };
    const pins = { anchors: pinned(...names), anchors_required: needed };
    const { sequenced } = await verify(stamped(...names), pins, stating(times));
    const vouching = [...names].sort().slice(0, expected + 1);
    expect(sequenced).toMatchObject({
      stated: formatTimestamp(atOf(plain.record.leaf_index)),
      not_later_than: formatTimestamp(youngest + (expected + 1) * 1e6),
      not_later_than_by: vouching.map((name) => ({ kind: 'anchor', name })),
    });
  });

  it('bound nothing while fewer than are needed state them, and count a certificate once where roots are pinned', async () => {
    const pins = { anchors: pinned('a', 'b'), anchors_required: 2 };
    const times = stating({ a1: youngest + 3e6, a2: youngest + 1e6, b: youngest + 2e6, a: youngest });
    expect((await verify(stamped('a'), pins, times)).sequenced).toMatchObject({ not_later_than: null });
    const roots = { tsa_roots: ['root'], anchors_required: 2 };
    const { sequenced } = await verify(stamped('a1', 'a2', 'b'), roots, times);
    expect(sequenced).toMatchObject({ not_later_than: formatTimestamp(youngest + 2e6) });
  });
});
