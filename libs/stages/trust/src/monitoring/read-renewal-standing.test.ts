import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MICROS_PER_DAY } from '@answer-evidence/encoding';
import type { Crafter } from '@answer-evidence/testing';
import { createStamped, openStamper } from '../fixtures/stamped-workspace.ts';
import { runConsumer } from '../fixtures/trust.ts';
import { readAttestations } from './read-attestations.ts';
import { readExposure } from './read-exposure.ts';

let stamper: Crafter;
beforeAll(async () => {
  stamper = await openStamper();
});
afterAll(() => stamper.close());

it('says when the last certificate ends, and names a renewal that fails until another one is confirmed', async () => {
  const { stage, of, days, setAuthorities } = await createStamped(stamper, Date.now() * 1000, ['tsa', 'second']);
  const { deps, workspace, clock } = stage;
  const daysLeft = async () => {
    const { authoritiesEndAt: end = Number.NaN } = await readExposure(deps, workspace.id);
    return Math.round((end - clock.nowMicros()) / MICROS_PER_DAY);
  };
  const failing = async () => (await readAttestations(deps, workspace.id)).failing;
  expect(await readExposure(deps, workspace.id)).toMatchObject({ isRenewalFailing: false });
  expect(await daysLeft()).toBe(30);
  days(11);
  of('second').isUp = false;
  await runConsumer(stage, 'trust.run');
  expect(await readExposure(deps, workspace.id)).toMatchObject({ isRenewalFailing: true });
  expect(await daysLeft()).toBe(19);
  expect(await failing()).toMatchObject([
    { kind: 'renewal', name: 'second.renewal-2', isRequired: true, attempts: 1, lastError: 'nobody is there' },
  ]);
  const [{ until = Number.NaN } = {}] = await failing();
  expect(Math.round((until - clock.nowMicros()) / MICROS_PER_DAY)).toBe(19);
  Object.assign(of('second'), { isUp: true, signer: 'authority' });
  await runConsumer(stage, 'trust.run');
  expect(await failing()).toEqual([]);
  expect(await readExposure(deps, workspace.id)).toMatchObject({ isRenewalFailing: false });
  expect(await daysLeft()).toBeGreaterThan(300);
  // What is there of an authority that left says nothing of those that are to come.
  await setAuthorities(['tsa']);
  expect(await daysLeft()).toBe(19);
  await setAuthorities([]);
  expect(await readExposure(deps, workspace.id)).toMatchObject({ authoritiesEndAt: undefined });
});
