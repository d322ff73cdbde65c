import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Crafter } from '@answer-evidence/testing';
import { createStamped as createStampedBy, openStamper } from '../fixtures/stamped-workspace.ts';
import { createRecord, runConsumer, verifyRecord } from '../fixtures/trust.ts';

let stamper: Crafter;
beforeAll(async () => {
  stamper = await openStamper();
});
afterAll(() => stamper.close());

const createStamped = (ids?: readonly string[]) => createStampedBy(stamper, Date.now() * 1000, ids);

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

describe('a manager who says that SHA-256 weakens', () => {
  const rehash = { renew: true, hash: 'sha-512' };

  it('has everything hashed anew, and all that is renewed later goes on by that hash', async () => {
    const { stage, of, days, attempts, anchorOf, bundle } = await createStamped();
    days(11);
    of('tsa').signer = 'authority';
    await runConsumer(stage, 'trust.run');
    const reply = await stage.call('POST', '/api/trust/anchors/run', { as: stage.manager, body: rehash });
    expect(reply.status).toBe(202);
    await runConsumer(stage, 'trust.hash');
    const { renewals: [first, second, ...others] = [] } = await bundle();
    expect([first?.hash, second?.hash, others]).toEqual([undefined, 'sha-512', []]);
    expect(of('tsa').asked.at(-1)).toHaveLength(128);
    expect(await anchorOf()).toMatchObject({ outcome: 'PASS' });
    await runConsumer(stage, 'trust.renew');
    expect(await attempts()).toEqual([1, 2, 3].map((n) => [`tsa.renewal-${n}`, 'confirmed']));
    expect((await bundle()).renewals?.map(({ hash }) => hash)).toEqual([undefined, 'sha-512', 'sha-512']);
    expect(await anchorOf()).toMatchObject({ outcome: 'PASS' });
    // A token since, which the next renewal hashes anew, although nobody says so again.
    days(1);
    const { id } = await createRecord(stage);
    await runConsumer(stage, 'trust.run');
    await runConsumer(stage, 'trust.renew');
    const young = await stage.call('GET', `/api/trust/proofs/answers/${id}`, { as: stage.manager });
    expect(young.body).toMatchObject({ renewals: [{ hash: 'sha-512' }] });
    expect((await verifyRecord(stage, id)).checks).toContainEqual(
      expect.objectContaining({ check: 'external_anchor', outcome: 'PASS' }),
    );
    const { body } = await stage.call('GET', '/api/trust/anchors', { as: stage.member });
    const { items } = body as { items: { anchor_id: string; digest: string }[] };
    expect(items.find(({ anchor_id: id }) => id === 'tsa.renewal-2')?.digest).toBe(of('tsa').asked.at(-4));
  });

  it('has the same hash asked for again, where nobody was there, whatever else is due', async () => {
    const { stage, of, days, attempts, bundle } = await createStamped();
    of('tsa').isUp = false;
    await runConsumer(stage, 'trust.hash');
    days(11);
    Object.assign(of('tsa'), { signer: 'authority', isUp: true });
    await runConsumer(stage, 'trust.run');
    expect(await attempts()).toEqual([['tsa.renewal-1', 'failed', 'confirmed']]);
    expect((await bundle()).renewals?.map(({ hash }) => hash)).toEqual(['sha-512']);
    const [before, after] = of('tsa').asked.filter((hash) => hash.length === 128);
    expect(after).toBe(before);
  });

  it('is told that a hash is chosen for renewals alone, and which one there is', async () => {
    const { stage } = await createStamped();
    for (const body of [{ hash: 'sha-512' }, { renew: false, hash: 'sha-512' }, { renew: true, hash: 'sha-1' }]) {
      const reply = await stage.call('POST', '/api/trust/anchors/run', { as: stage.manager, body });
      expect([reply.status, reply.errors]).toMatchObject([422, [{ pointer: '/hash' }]]);
    }
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
