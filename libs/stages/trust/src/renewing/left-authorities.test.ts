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
