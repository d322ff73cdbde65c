import { DEVICE_POLL_SECONDS, DEVICE_POLL_SECONDS_MAX } from '@answer-evidence/contracts';
import { formatHex, MICROS_PER_SECOND } from '@answer-evidence/encoding';
import type { DeviceDecision, DeviceLoginRow, DeviceLoginStore } from '@answer-evidence/ports';

type Kept = {
  readonly userCode: string;
  readonly login: DeviceLoginRow;
  readonly decision?: DeviceDecision;
  readonly intervalSeconds: number;
  readonly polledAt?: number;
};

/** Makes a store of sign-ins of devices in memory. */
export function createFakeDeviceLogins(): DeviceLoginStore {
  const kept = new Map<string, Kept>();
  const findWaiting = (workspaceId: string, userCode: string, now: number) =>
    [...kept].find(
      ([, one]) =>
        one.userCode === userCode &&
        one.login.workspaceId === workspaceId &&
        one.decision === undefined &&
        one.login.expiresAt > now,
    );
  return {
    add(secret, userCode, login, max) {
      for (const [name, one] of kept) if (one.login.expiresAt <= login.requestedAt) kept.delete(name);
      if ([...kept.values()].some((one) => one.userCode === userCode)) return Promise.resolve('taken');
      kept.set(formatHex(secret), { userCode, login, intervalSeconds: DEVICE_POLL_SECONDS });
      const newest = [...kept].reverse().filter(([, one]) => one.decision?.kind !== 'approved');
      const ofAddress = newest.filter(([, one]) => one.login.address === login.address);
      const ofWorkspace = newest.filter(([, one]) => one.login.workspaceId === login.workspaceId);
      const depths = new Map<string, number>();
      const ranked = ofWorkspace.map(([name, one]) => {
        const depth = (depths.get(one.login.address) ?? 0) + 1;
        depths.set(one.login.address, depth);
        return { name, depth };
      });
      ranked.sort((one, other) => one.depth - other.depth);
      for (const [name] of ofAddress.slice(max.address)) kept.delete(name);
      for (const { name } of ranked.slice(max.workspace)) kept.delete(name);
      return Promise.resolve('added');
    },
    poll(secret, now) {
      const name = formatHex(secret);
      const one = kept.get(name);
      if (one === undefined || one.login.expiresAt <= now) return Promise.resolve(undefined);
      const isTooSoon =
        one.polledAt !== undefined && now < one.polledAt + (one.intervalSeconds - 0.5) * MICROS_PER_SECOND;
      const longer = Math.min(one.intervalSeconds + DEVICE_POLL_SECONDS, DEVICE_POLL_SECONDS_MAX);
      const intervalSeconds = isTooSoon ? longer : one.intervalSeconds;
      kept.set(name, { ...one, polledAt: now, intervalSeconds });
      return Promise.resolve({ login: one.login, decision: one.decision, isTooSoon, intervalSeconds });
    },
    redeem(secret) {
      const name = formatHex(secret);
      if (kept.get(name)?.decision?.kind !== 'approved') return Promise.resolve(false);
      return Promise.resolve(kept.delete(name));
    },
    findPending: (workspaceId, userCode, now) => Promise.resolve(findWaiting(workspaceId, userCode, now)?.[1].login),
    decide(workspaceId, userCode, decision, now) {
      const found = findWaiting(workspaceId, userCode, now);
      if (found === undefined) return Promise.resolve(false);
      kept.set(found[0], { ...found[1], decision });
      return Promise.resolve(true);
    },
  };
}
