import { describe, expect, it } from '@jest/globals';
import { DEFAULT_TRUST_POLICY, logKeyList, trustFile } from '@answer-evidence/contracts';
import { verifySignature } from '@answer-evidence/node-crypto';
import { COSIGNATURE_ML_DSA_44, parseNote, parseTlogProof, parseVkey } from '@answer-evidence/note';
import { verifyBundle } from '@answer-evidence/verify';
import { trustOf } from '../bundle/trust-of.ts';
import {
  checksWith,
  createRecord,
  openTrust,
  putPolicy,
  runConsumer,
  type TrustTest,
  verifyRecord,
} from '../fixtures/trust.ts';

async function pinsOf({ workspace, logs, trust }: TrustTest) {
  return trustFile.parse(trustOf(workspace, await logs.signer(workspace.id), await trust.policy(workspace.id)));
}

async function keysOf(stage: TrustTest) {
  const { body } = await stage.call('GET', '/api/trust/keys', { as: stage.member });
  return logKeyList.parse(body).items;
}

const linesOf = (note: string) => parseNote(note).signatures.map(({ signature }) => signature.length);
const checkpointOf = async (stage: TrustTest) =>
  String((await stage.call('GET', `/tlog/${stage.workspace.slug}/checkpoint`, { as: stage.member })).body);

describe('a log whose policy asks for ML-DSA-44', () => {
  it('signs what it publishes by both keys, and receipts by Ed25519 alone', async () => {
    const stage = await openTrust();
    await putPolicy(stage, { log_signatures: 'hybrid', checkpoint_interval_seconds: 1 });
    const [ed25519, mlDsa44, ...others] = await keysOf(stage);
    expect([ed25519, mlDsa44]).toMatchObject([
      { algorithm: 'ed25519', state: 'active' },
      { algorithm: 'ml-dsa-44', state: 'active' },
    ]);
    expect(others).toEqual([]);
    expect(parseVkey(mlDsa44?.vkey ?? '')).toMatchObject({
      name: stage.workspace.origin,
      type: COSIGNATURE_ML_DSA_44,
    });
    const { id, receipt } = await createRecord(stage);
    expect(linesOf(parseTlogProof(receipt).checkpoint)).toEqual([64]);
    await runConsumer(stage, 'trust.run');
    expect(linesOf(await checkpointOf(stage))).toEqual([64, 2428]);
    expect(checksWith('FAIL', await verifyRecord(stage, id))).toEqual([]);
  });

  it('verifies by its trust file, and fails by name where the line is missing or wrong', async () => {
    const stage = await openTrust();
    const old = await pinsOf(stage);
    await putPolicy(stage, { log_signatures: 'hybrid' });
    const { id, receipt } = await createRecord(stage);
    const { body } = await stage.call('GET', `/api/trust/proofs/answers/${id}`, { as: stage.manager });
    const verify = async (bundle: unknown, pins = pinsOf(stage)) => {
      const { checks } = await verifyBundle(bundle, await pins, { verifySignature, receipt });
      return checks.filter(({ outcome }) => outcome === 'FAIL').map(({ check, detail }) => `${check}: ${detail}`);
    };
    expect(await verify(body)).toEqual([]);
    // A trust file of before knows the Ed25519 key alone, and ignores the line.
    expect(await verify(body, Promise.resolve(old))).toEqual([]);
    const text = JSON.stringify(body);
    const line = /\\n(\u2014 [^\\]*[A-Za-z0-9+/=]{3000,})\\n/.exec(text)?.[1] ?? '';
    const without = JSON.parse(text.replaceAll(`${line}\\n`, ''));
    expect(await verify(without)).toEqual([
      'checkpoint_signature: the log’s ML-DSA-44 key of this size has not signed the checkpoint',
    ]);
    const other = line.at(-100) === 'A' ? 'B' : 'A';
    const forged = JSON.parse(text.replaceAll(line, `${line.slice(0, -100)}${other}${line.slice(-99)}`));
    expect(await verify(forged)).toEqual(['checkpoint_signature: the ML-DSA-44 signature by a trusted key is invalid']);
  });

  it('rotates its ML-DSA-44 key, and retires it when the policy asks for none', async () => {
    const stage = await openTrust();
    await putPolicy(stage, { log_signatures: 'hybrid', checkpoint_interval_seconds: 1 });
    const first = (await keysOf(stage)).at(-1)?.vkey ?? '';
    const retire = (vkey: string) =>
      stage.call('POST', '/api/trust/keys/retire', { as: stage.manager, body: { vkey } });
    expect(await retire(first)).toMatchObject({ status: 409, code: 'log_key_conflict' });
    const added = await stage.call('POST', '/api/trust/keys', {
      as: stage.manager,
      body: { algorithm: 'ml-dsa-44' },
    });
    expect(added).toMatchObject({ status: 201, body: { algorithm: 'ml-dsa-44', state: 'next' } });
    await runConsumer(stage, 'trust.run');
    expect(linesOf(await checkpointOf(stage))).toEqual([64, 2428, 2428]);
    expect(await retire(first)).toMatchObject({ status: 200 });
    expect((await keysOf(stage)).map(({ state }) => state)).toEqual(['active', 'retired', 'active']);

    await putPolicy(stage, { log_signatures: 'ed25519', checkpoint_interval_seconds: 1 });
    expect((await keysOf(stage)).map(({ state }) => state)).toEqual(['active', 'retired', 'retired']);
    stage.clock.advance(2_000_000);
    await runConsumer(stage, 'trust.publish');
    expect(linesOf(await checkpointOf(stage))).toEqual([64]);
  });
});

describe('the keys of a log', () => {
  it('have no ML-DSA-44 among them while the policy does not ask for it', async () => {
    const stage = await openTrust();
    const body = { algorithm: 'ml-dsa-44' };
    const reply = await stage.call('POST', '/api/trust/keys', { as: stage.manager, body });
    expect(reply).toMatchObject({ status: 409, code: 'log_key_conflict' });
    expect(await keysOf(stage)).toHaveLength(1);
  });

  it('follow a policy that was approved, or that was changed while another process published', async () => {
    const stage = await openTrust();
    const whileLeading = stage.deps.trust.whileLeading.bind(stage.deps.trust);
    Object.assign(stage.deps.trust, { whileLeading: () => Promise.resolve(false) });
    await putPolicy(stage, { log_signatures: 'hybrid' });
    expect(await keysOf(stage)).toHaveLength(1);
    Object.assign(stage.deps.trust, { whileLeading });
    await runConsumer(stage, 'trust.publish');
    expect(await keysOf(stage)).toHaveLength(2);
    expect(linesOf(await checkpointOf(stage))).toEqual([64, 2428]);
  });

  it('stay as they are for a client that does not know of them', async () => {
    const stage = await openTrust();
    await putPolicy(stage, { log_signatures: 'hybrid' });
    const { log_signatures: _, ...older } = DEFAULT_TRUST_POLICY;
    const reply = await stage.call('PUT', '/api/trust/policy', {
      as: stage.manager,
      body: { ...older, public_log: true },
    });
    expect(reply).toMatchObject({ status: 200, body: { public_log: true, log_signatures: 'hybrid' } });
    expect(await keysOf(stage)).toHaveLength(2);
  });

  it('are stated by no core and no bundle while the policy has its default', async () => {
    const stage = await openTrust();
    await putPolicy(stage, { public_log: true });
    await putPolicy(stage, { log_signatures: 'hybrid' });
    const cores = await stage.logs.workspaceEntries(stage.workspace.id, 'trust_policy_changed');
    expect(cores.map(({ core_json: core }) => core.includes('log_signatures'))).toEqual([false, true]);
    const { id } = await createRecord(stage);
    const { body } = await stage.call('GET', `/api/trust/proofs/answers/${id}`, { as: stage.manager });
    expect(body).toMatchObject({ log_keys: [{ vkey: stage.workspace.vkey }] });
    expect(JSON.stringify((body as { policy: unknown }).policy)).not.toContain('log_signatures');
  });
});
