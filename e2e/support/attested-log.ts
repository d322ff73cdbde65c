import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COSIGNATURE_ED25519, createVkey, formatVkey } from '@answer-evidence/note';
import { findFreePort } from '@answer-evidence/testing';
import { startWitness, until } from '../../tools/scenery/service-process.ts';
import type { Reply, TestService } from '../../tools/scenery/test-service.ts';

/** What a call to a service comes to; as much of a service as is needed here. */
type Calling = Pick<TestService, 'call'>;

/** A policy that publishes each second and asks for nothing more. */
export const EAGER_POLICY = {
  checkpoint_interval_seconds: 1,
  anchor_interval_seconds: 60,
  anchors: [] as readonly object[],
  anchors_required: 0,
  witness_policy: 'quorum none\n',
  public_log: false,
};

/** The checkpoint key that the log signs with. */
export async function activeVkeyOf({ call }: Calling): Promise<string> {
  const { items } = (await call('GET', '/api/trust/keys')).body;
  return items.find(({ state }: { state: string }) => state === 'active').vkey;
}

/** Has the log vouched for: a witness cosigns, another is silent, the file anchors, a bucket refuses. Waits for all. */
export async function attestLog(service: Calling): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-witness-'));
  const witness = startWitness(['--name', 'witness.example/w1', '--log', await activeVkeyOf(service)], {
    dataDir: folder,
  });
  try {
    const url = await witness.ready;
    const nobody = `http://127.0.0.1:${await findFreePort()}`;
    const vkey = vkeyOf(witness.stderr);
    const silent = createVkey('witness.example/w2', COSIGNATURE_ED25519, new Uint8Array(32).fill(7));
    const policy = {
      ...EAGER_POLICY,
      anchors: [
        { id: 'local', type: 'file' },
        {
          id: 'bucket',
          type: 'object-lock',
          url: nobody,
          bucket: 'checkpoints',
          retention_days: 1,
          access_key_id: 'nobody',
          secret_access_key: 'a secret of the tenant',
        },
      ],
      witness_policy: `witness w1 ${vkey} ${url}\nwitness w2 ${formatVkey(silent)} ${nobody}\nquorum w1\n`,
    };
    expectStatus(200, await service.call('PUT', '/api/trust/policy', { body: policy }));
    expectStatus(202, await service.call('POST', '/api/trust/anchors/run', { body: {} }));
    await until('a cosignature, a confirmed anchor and a failed attempt', async () => {
      const [checkpoints, anchors] = await Promise.all(
        ['checkpoints', 'anchors'].map(async (list) => (await service.call('GET', `/api/trust/${list}`)).body.items),
      );
      return (
        checkpoints.some(({ quorum_reached }: { quorum_reached: boolean }) => quorum_reached) &&
        anchors.some(({ state }: { state: string }) => state === 'confirmed') &&
        anchors.some(
          ({ state, attempts }: { state: string; attempts: unknown[] }) => state === 'pending' && attempts.length > 0,
        )
      );
    });
  } finally {
    witness.kill('SIGKILL');
    await witness.exited;
    await rm(folder, { recursive: true, force: true });
  }
}

/** The key that a witness process said it has. */
export function vkeyOf(stderr: readonly string[]): string {
  const vkey = /witness key: (\S+)/.exec(stderr.join('\n'))?.[1];
  if (vkey === undefined) throw new Error('the witness said no key');
  return vkey;
}

function expectStatus(status: number, reply: Reply): void {
  if (reply.status !== status) throw new Error(`${reply.status} instead of ${status}: ${reply.text}`);
}
