import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proofBundle } from '@answer-evidence/contracts';
import { formatTimestamp, MICROS_PER_DAY } from '@answer-evidence/encoding';
import type { Anchor } from '@answer-evidence/ports';
import { verifyTimestamp } from '@answer-evidence/rfc3161';
import { AUTHORITY_EXTENSIONS, type Crafter, createFakeAnchor, openCrafter } from '@answer-evidence/testing';
import { verifyBundle } from '@answer-evidence/verify';
import { trustOf } from '../bundle/trust-of.ts';
import { createTrustConsumers } from '../consumers/consumers.ts';
import { createFakeTrust, createRecord, putPolicy, runConsumer, verifyRecord } from '../fixtures/trust.ts';

let crafter: Crafter;
beforeAll(async () => {
  crafter = await openCrafter();
  await crafter.issue({ name: 'short', issuer: 'between', days: 30, extensions: AUTHORITY_EXTENSIONS, serial: 4 });
});
afterAll(() => crafter.close());

type Authority = {
  signer: 'short' | 'authority';
  isUp: boolean;
  readonly asked: string[];
  isStopping: boolean;
  /** Whether the end of its certificate is said, which earlier releases did not store. */
  saysEnd: boolean;
};

/** A workspace with a record under a token that ends in 30 days, and its authorities. */
async function createStamped(ids: readonly string[] = ['tsa']) {
  const authorities = new Map(
    ids.map((id): [string, Authority] => [
      id,
      { signer: 'short', isUp: true, asked: [], isStopping: false, saysEnd: true },
    ]),
  );
  const stopping = new AbortController();
  const nowMicros = () => stage.clock.nowMicros();
  const rfc3161: Anchor = {
    async submit({ config, digest }) {
      const authority = authorities.get(config.id);
      authority?.asked.push(Buffer.from(digest).toString('hex'));
      if (authority?.isStopping === true) stopping.abort();
      if (authority?.isUp !== true) return { kind: 'failed', detail: 'nobody is there' };
      const genTime = `${formatTimestamp(nowMicros()).slice(0, 19).replace(/[-:T]/g, '')}Z`;
      const artefact = await crafter.craft({ signer: authority.signer, tstInfo: { digest, genTime, nonce: null } });
      const verified = await verifyTimestamp(artefact, { digest, rootsPem: [crafter.rootPem] });
      const { genTimeMicros: at, endsAtMicros: endsAt } = verified;
      return { kind: 'confirmed', artefact, at, ...(authority.saysEnd ? { endsAt } : {}), detail: 'stamped' };
    },
    readNewest: () => Promise.resolve({ kind: 'read', notes: [] }),
  };
  const other = createFakeAnchor();
  const stage = createFakeTrust({ anchors: { file: other, 'object-lock': other, rfc3161 } });
  stage.clock.advance(Date.now() * 1000 - stage.clock.nowMicros());
  Object.assign(stage.deps, { renewalLeadMicros: 20 * MICROS_PER_DAY });
  const setAuthorities = (names: readonly string[]) =>
    putPolicy(stage, {
      anchors: names.map((id) => ({
        id,
        type: 'rfc3161' as const,
        url: `https://${id}.example`,
        certificate_pem: crafter.rootPem,
        required: false,
      })),
      anchors_required: names.length === 0 ? 0 : 1,
    });
  await setAuthorities(ids);
  const { id } = await createRecord(stage);
  await runConsumer(stage, 'trust.run');
  const of = (name: string): Authority => {
    const authority = authorities.get(name);
    if (authority === undefined) throw new Error(`there is no authority ${name}`);
    return authority;
  };
  const days = (n: number) => stage.clock.advance(n * MICROS_PER_DAY);
  const attempts = async () =>
    (await stage.trust.renewals(stage.workspace.id)).map(({ anchor, attempts: all }) => [
      anchor.anchor_id,
      ...all.map(({ outcome }) => outcome),
    ]);
  const anchorOf = async () =>
    (await verifyRecord(stage, id)).checks.find(({ check }) => check === 'external_anchor') ?? { detail: '' };
  const bundle = async () =>
    proofBundle.parse((await stage.call('GET', `/api/trust/proofs/answers/${id}`, { as: stage.manager })).body);
  /** Anchors in a process that stops when an authority is asked that says so. */
  const runUntilStopped = async () => {
    const consumer = createTrustConsumers(stage.deps).find(({ topic }) => topic === 'trust.anchor');
    await consumer?.run({ id: 'job-1', topic: 'trust.anchor', workspace_id: null, subject: null }, stopping.signal);
  };
  /** What a verifier says of the anchors of the bundle whose trust file is the policy of a version. */
  const judgeBy = async (version: number) => {
    const { deps, workspace } = stage;
    const policy = await deps.trust.findPolicy(workspace.id, version);
    if (policy === undefined) throw new Error(`there is no policy ${version}`);
    const trust = trustOf(workspace, await deps.logs.signer(workspace.id), policy);
    const { checks } = await verifyBundle(await bundle(), trust, deps);
    const found = checks.find(({ check }) => check === 'external_anchor');
    return [found?.outcome, found?.detail];
  };
  return { stage, id, of, days, attempts, anchorOf, bundle, runUntilStopped, setAuthorities, judgeBy };
}

describe('tokens whose certificate ends', () => {
  it('are renewed in time, once, by one token over all of them, which bundles show', async () => {
    const { stage, of, days, attempts, anchorOf, bundle } = await createStamped();
    await createRecord(stage);
    await runConsumer(stage, 'trust.run');
    days(9);
    await runConsumer(stage, 'trust.run');
    expect(await attempts()).toEqual([]);
    expect(await bundle()).not.toHaveProperty('renewals');
    days(2);
    of('tsa').signer = 'authority';
    for (let n = 0; n < 3; n++) await runConsumer(stage, 'trust.run');
    expect(await attempts()).toEqual([['tsa.renewal-1', 'confirmed']]);
    const { renewals = [] } = await bundle();
    expect(renewals).toMatchObject([{ anchor_id: 'tsa', type: 'rfc3161', revocation_lists: [] }]);
    expect(renewals[0]?.paths).toHaveLength(1);
    // Two tokens, and the checkpoint of the second.
    const [stored] = await stage.trust.renewals(stage.workspace.id);
    expect(stored?.anchor.covered).toHaveLength(3 * 32);
    expect(await anchorOf()).toMatchObject({ outcome: 'PASS' });
    expect((await anchorOf()).detail).toContain('renewed by tsa at ');
  });

  it('are renewed again nearer to its end, with what was stamped meanwhile, and each shows the newest', async () => {
    const { stage, of, days, attempts, anchorOf, bundle } = await createStamped();
    days(11);
    of('tsa').signer = 'authority';
    await runConsumer(stage, 'trust.run');
    of('tsa').signer = 'short';
    await createRecord(stage);
    await runConsumer(stage, 'trust.run');
    expect(await attempts()).toHaveLength(1);
    days(15);
    of('tsa').signer = 'authority';
    await runConsumer(stage, 'trust.run');
    expect(await attempts()).toEqual([
      ['tsa.renewal-1', 'confirmed'],
      ['tsa.renewal-2', 'confirmed'],
    ]);
    expect((await bundle()).renewals).toHaveLength(2);
    expect(await anchorOf()).toMatchObject({ outcome: 'PASS' });
  });

  it('wait for an authority that is away, and the same hash is asked for again, after a pause', async () => {
    const { stage, of, days, attempts } = await createStamped();
    days(11);
    Object.assign(of('tsa'), { signer: 'authority', isUp: false });
    await runConsumer(stage, 'trust.anchor');
    await runConsumer(stage, 'trust.anchor');
    expect(await attempts()).toEqual([['tsa.renewal-1', 'failed']]);
    const listed = await stage.call('GET', '/api/trust/anchors', { as: stage.member });
    const { items } = listed.body as { items: Record<string, unknown>[] };
    expect(items.find((item) => item['anchor_id'] === 'tsa.renewal-1')).toMatchObject({
      state: 'pending',
      renews: 2,
      attempts: [{ outcome: 'failed', detail: 'nobody is there' }],
    });
    of('tsa').isUp = true;
    await runConsumer(stage, 'trust.run');
    expect(await attempts()).toEqual([['tsa.renewal-1', 'failed', 'confirmed']]);
    expect(new Set(of('tsa').asked.slice(1)).size).toBe(1);
  });

  it('are renewed by another authority, if the certificate of the first one ends no later', async () => {
    const { stage, of, days, attempts, bundle } = await createStamped(['tsa', 'second']);
    days(11);
    of('second').signer = 'authority';
    await runConsumer(stage, 'trust.run');
    expect(await attempts()).toEqual([
      ['tsa.renewal-1', 'failed'],
      ['second.renewal-2', 'confirmed'],
    ]);
    const [first] = await stage.trust.renewals(stage.workspace.id);
    expect(first?.attempts[0]?.detail).toContain('no later than one that it renews: another authority is needed');
    expect((await bundle()).renewals).toMatchObject([{ anchor_id: 'second' }]);
  });

  it('are renewed by the next process for the same hash, if one died before it had asked', async () => {
    const { stage, of, days, attempts, runUntilStopped } = await createStamped();
    days(11);
    Object.assign(of('tsa'), { signer: 'authority', isUp: false, isStopping: true });
    await runUntilStopped();
    expect(await attempts()).toEqual([['tsa.renewal-1']]);
    Object.assign(of('tsa'), { isUp: true, isStopping: false });
    await runConsumer(stage, 'trust.anchor');
    expect(await attempts()).toEqual([['tsa.renewal-1', 'confirmed']]);
    const [before, after] = of('tsa').asked.slice(1);
    expect(after).toBe(before);
  });

  it('are not covered once it has ended, while others are', async () => {
    const { stage, of, days, attempts, anchorOf, bundle } = await createStamped();
    days(11);
    of('tsa').isUp = false;
    await runConsumer(stage, 'trust.anchor');
    days(30);
    Object.assign(of('tsa'), { signer: 'authority', isUp: true });
    await createRecord(stage);
    await runConsumer(stage, 'trust.run');
    await runConsumer(stage, 'trust.renew');
    expect(await attempts()).toEqual([
      ['tsa.renewal-1', 'failed'],
      ['tsa.renewal-2', 'confirmed'],
    ]);
    expect(await bundle()).not.toHaveProperty('renewals');
    expect(await anchorOf()).toMatchObject({ outcome: 'PASS' });
  });
});

describe('an authority that the policy no longer names', () => {
  it('stays in bundles with its tokens, which are renewed, and vouches where a trust file pins it', async () => {
    const { stage, of, days, anchorOf, bundle, setAuthorities, judgeBy } = await createStamped(['tsa', 'second']);
    const before = await bundle();
    await setAuthorities(['second']);
    days(11);
    of('second').signer = 'authority';
    await runConsumer(stage, 'trust.run');
    const { anchors, checkpoint, renewals = [] } = await bundle();
    expect(checkpoint).toBe(before.checkpoint);
    expect(anchors.map(({ anchor_id: id }) => id)).toEqual(['second', 'tsa']);
    expect(new Set(anchors.map(({ artefact }) => artefact))).toEqual(
      new Set(before.anchors.map(({ artefact }) => artefact)),
    );
    expect(renewals.map(({ anchor_id: id, paths }) => [id, paths.length])).toEqual([['second', 2]]);
    expect((await anchorOf()).detail).not.toContain('tsa');
    expect(await judgeBy(2)).toEqual(['PASS', expect.not.stringContaining('tsa')]);
    expect(await judgeBy(1)).toEqual(['PASS', expect.stringMatching(/^(?=.*tsa: .* renewed by second).*second: /)]);
  });

  it('is named as not pinned, if nobody else has confirmed the checkpoint', async () => {
    const { stage, id, of, setAuthorities, judgeBy } = await createStamped();
    await setAuthorities(['second']);
    expect(await judgeBy(2)).toEqual([
      'SKIP',
      'second has not confirmed this checkpoint; tsa is not pinned by the trust file (1 needed)',
    ]);
    await setAuthorities([]);
    expect(await judgeBy(1)).toEqual(['PASS', expect.stringContaining('tsa: its token leads to the pinned root')]);
    expect(await judgeBy(3)).toEqual(['SKIP', 'the workspace has anchors, but the trust file pins none']);
    expect(await verifyRecord(stage, id)).toMatchObject({ anchoring: 'NOT_ANCHORED' });
    expect(of('tsa').asked).toHaveLength(1);
  });

  it('has its tokens renewed by the certificate of its time, where their end was not stored', async () => {
    const { stage, of, days, attempts, setAuthorities, runUntilStopped } = await createStamped(['tsa', 'second']);
    days(1);
    await createRecord(stage);
    await runConsumer(stage, 'trust.publish');
    Object.assign(of('tsa'), { saysEnd: false, isStopping: true });
    await runUntilStopped();
    await setAuthorities(['second']);
    of('second').signer = 'authority';
    await runConsumer(stage, 'trust.run');
    expect(await attempts()).toEqual([['second.renewal-1', 'confirmed']]);
    const [renewal] = await stage.trust.renewals(stage.workspace.id);
    // The checkpoint, three tokens of the second authority, and two of the first.
    expect(renewal?.anchor.covered).toHaveLength(6 * 32);
  });
});

describe('a manager who says that an algorithm weakens', () => {
  it('has all tokens renewed at once, though no certificate ends', async () => {
    const { stage, attempts, anchorOf } = await createStamped();
    const reply = await stage.call('POST', '/api/trust/anchors/run', { as: stage.manager, body: { renew: true } });
    expect(reply.status).toBe(202);
    await runConsumer(stage, 'trust.renew');
    expect(await attempts()).toEqual([['tsa.renewal-1', 'confirmed']]);
    expect((await anchorOf()).detail).toContain('renewed by tsa at ');
  });

  it('has the token kept whose certificate ends last, of all authorities, in any order, and only once', async () => {
    for (const best of ['tsa', 'second', 'third']) {
      const { stage, of, attempts, bundle } = await createStamped(['tsa', 'second', 'third']);
      of(best).signer = 'authority';
      await runConsumer(stage, 'trust.renew');
      await runConsumer(stage, 'trust.run');
      expect(await attempts()).toEqual(
        ['tsa', 'second', 'third'].map((id, n) => [`${id}.renewal-${n + 1}`, id === best ? 'confirmed' : 'failed']),
      );
      expect((await bundle()).renewals?.map(({ anchor_id: id }) => id)).toEqual([best]);
      const { body } = await stage.call('GET', '/api/trust/anchors', { as: stage.member });
      const { items } = body as { items: { anchor_id: string; state: string; attempts: { detail: string }[] }[] };
      const renewals = items.filter(({ anchor_id: id }) => id.includes('.renewal-'));
      expect(renewals.map(({ state }) => state).sort()).toEqual(['confirmed', 'failed', 'failed']);
      for (const { state, attempts: made } of renewals)
        if (state === 'failed')
          expect(made[0]?.detail).toMatch(
            /^it confirmed, but its certificate ends on 20\S+, and that of \w+, which was/,
          );
    }
  });

  it('has the token of another authority, if the best one is away', async () => {
    const { stage, of, attempts } = await createStamped(['tsa', 'second']);
    Object.assign(of('second'), { signer: 'authority', isUp: false });
    await runConsumer(stage, 'trust.renew');
    expect(await attempts()).toEqual([
      ['tsa.renewal-1', 'confirmed'],
      ['second.renewal-2', 'failed'],
    ]);
    await runConsumer(stage, 'trust.run');
    expect(of('second').asked).toHaveLength(2);
  });
});
