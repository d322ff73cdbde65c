import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runOperatorCommand } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { type ProvokedIn, typesProvokedIn } from './support/provoked-types.ts';
import { openReadyData } from './support/ready-data.ts';
import { type About, openToldTarget, PRIVATE, type ToldTarget } from './support/told-target.ts';

/** More than a sweep takes at once. */
const [RECORDS, BATCH] = [120, 60];
const DUE_AFTER_MS = 10_000;
const DEADLINE_MS = 240_000;

let dataDir: string;
let service: TestService;
let target: ToldTarget;

beforeAll(async () => {
  dataDir = await openReadyData('told-sweeps');
  service = await openTestService({ share: { databaseUrl: '', dataDir } });
  target = await openToldTarget(service);
});
afterAll(async () => {
  await service.close();
  await target.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Has each type told, one after the other. */
const PROVOCATIONS: Readonly<Record<ProvokedIn<'notifications-of-sweeps'>, () => Promise<About>>> = {
  'sweep.held': async () => {
    const retention_until = new Date(Date.now() + DUE_AFTER_MS).toISOString();
    for (let n = 0; n < RECORDS; n += BATCH) {
      const records = Array.from({ length: BATCH }, (_, i) =>
        answer(PRIVATE, PRIVATE, { retention_until, idempotency_key: `due-${n + i}` }),
      );
      const { status, body } = await service.call('POST', '/api/answer-audit-logs/batch', { body: { records } });
      expect([status, body.code]).toEqual([200, undefined]);
    }
    return { name: 'texts', count: RECORDS, severity: 'high' };
  },
  'sweep.released': async () => {
    await target.told('sweep.held');
    expect(await runOperatorCommand(['sweep-confirm'], { dataDir })).toMatchObject({ code: 0, stderr: '' });
    return { name: 'texts' };
  },
  'sweep.confirmed': () => Promise.resolve({}),
};

describe('a target is told once, verifiably and without any text', () => {
  const about = new Map<string, About>();
  beforeAll(async () => {
    for (const [type, provoke] of Object.entries(PROVOCATIONS)) about.set(type, await provoke());
  }, DEADLINE_MS);

  it.each(typesProvokedIn('notifications-of-sweeps'))(
    '%s',
    async (type) => {
      await target.expectOnce(type, about.get(type) ?? {});
    },
    DEADLINE_MS,
  );
});
