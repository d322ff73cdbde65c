import { spawnSync } from 'node:child_process';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runOperatorCommand, type ServiceProcess, startWitness, until } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { activeVkeyOf, EAGER_POLICY, vkeyOf } from './support/attested-log.ts';
import { type ProvokedIn, typesProvokedIn } from './support/provoked-types.ts';
import { openReadyData } from './support/ready-data.ts';
import { type About, openToldTarget, PRIVATE, type ToldTarget } from './support/told-target.ts';

const DEADLINE_MS = 240_000;

let dataDir: string;
let service: TestService;
let target: ToldTarget;
let witness: ServiceProcess | undefined;

const open = (): Promise<TestService> => openTestService({ share: { databaseUrl: '', dataDir } });
const record = () =>
  service.call('POST', '/api/answer-audit-logs', { body: answer(`${PRIVATE} ${crypto.randomUUID()}`, PRIVATE) });

beforeAll(async () => {
  dataDir = await openReadyData('told-recovery');
  service = await open();
  target = await openToldTarget(service);
  await mkdir(join(dataDir, 'witness'));
});
afterAll(async () => {
  await witness?.stop();
  await service.close();
  await target.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Copies with owners and modes, which PostgreSQL asks for. */
function copy(from: string, to: string): void {
  expect(spawnSync('cp', ['-a', from, to]).status).toBe(0);
}

/** Does something, and takes what of the data folder is named back to what it was before. */
async function undoing(names: readonly string[], act: () => Promise<void>): Promise<void> {
  await service.close();
  for (const name of names) copy(join(dataDir, name), join(dataDir, `${name}-before`));
  service = await open();
  await act();
  await service.close();
  for (const name of names) {
    await rm(join(dataDir, name), { recursive: true });
    await rename(join(dataDir, `${name}-before`), join(dataDir, name));
  }
}

/** Records an answer and waits until the witness has cosigned it. */
async function recordWitnessed(): Promise<void> {
  const size = (await record()).body.ledger.leaf_index + 1;
  await until('a cosignature', async () => {
    const [newest] = (await service.call('GET', '/api/trust/checkpoints')).body.items;
    return newest?.tree_size >= size && newest.quorum_reached;
  });
}

/** Has each type told, one after the other. */
const PROVOCATIONS: Readonly<Record<ProvokedIn<'notifications-of-recovery'>, () => Promise<About>>> = {
  'log.continued': async () => {
    await undoing(['postgres'], async () => {
      expect((await record()).status).toBe(201);
    });
    expect(await runOperatorCommand(['ledger-recover'], { dataDir })).toMatchObject({ code: 0 });
    service = await open();
    return {};
  },
  'log.stopped': async () => {
    witness = startWitness(['--name', 'w.example', '--log', await activeVkeyOf(service)], {
      dataDir: join(dataDir, 'witness'),
    });
    const url = await witness.ready;
    const witness_policy = `witness w1 ${vkeyOf(witness.stderr)} ${url}\nquorum w1\n`;
    const body = { ...EAGER_POLICY, witness_policy };
    expect((await service.call('PUT', '/api/trust/policy', { body })).status).toBe(200);
    await recordWitnessed();
    // What the service keeps goes back as a whole, so that the witness alone knows of the larger log.
    await undoing(['postgres', 'heads'], recordWitnessed);
    service = await open();
    // Of what is published next, the witness says that it has seen more.
    await record();
    return { severity: 'high' };
  },
};

describe('a target is told once, verifiably and without any text', () => {
  it.each(typesProvokedIn('notifications-of-recovery').toReversed())(
    '%s',
    async (type) => {
      await target.expectOnce(type, await PROVOCATIONS[type]());
    },
    DEADLINE_MS,
  );
});
