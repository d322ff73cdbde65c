import type { Attack } from './attack.ts';
import { startProbe } from './probe.ts';
import type { Scene } from './scene.ts';

/** The first lines of the table. */
export const HEAD: readonly string[] = [
  '| kind | attack | requests | what was seen | slowest create of another workspace, ms | holds |',
  '| --- | --- | ---: | --- | ---: | --- |',
];

/** Runs an attack beside another workspace's creates. It holds when nothing was breached and none of them was lost. */
export async function runAttack(
  scene: Scene,
  attack: Attack,
): Promise<{ readonly row: string; readonly holds: boolean }> {
  const acknowledged: string[] = [];
  const probe = startProbe(scene, acknowledged);
  const { requests, seen, breaches } = await attack.run(scene, probe);
  const { slowestMs, failed } = await probe.stop();
  const lost = await countLost(scene, acknowledged);
  const found = [
    ...breaches,
    ...(failed.length > 0 ? [`the other workspace was refused: ${failed.join()}`] : []),
    ...(lost > 0 ? [`${lost} acknowledged records are not there`] : []),
    ...(slowestMs > attack.probeMsMax / scene.share ? [`another create took more than ${attack.probeMsMax} ms`] : []),
  ];
  const verdict = found.length === 0 ? 'yes' : `**no: ${found.slice(0, 5).join('; ')}**`;
  const cells = [attack.kind, attack.name, requests, seen, Math.round(slowestMs), verdict];
  return {
    row: `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`,
    holds: found.length === 0,
  };
}

async function countLost({ call, theirs }: Scene, acknowledged: readonly string[]): Promise<number> {
  let lost = 0;
  for (const id of acknowledged) {
    const reply = await call('GET', `/api/answer-audit-logs/${id}`, { token: theirs.manager });
    await reply.arrayBuffer();
    if (reply.status !== 200) lost += 1;
  }
  return lost;
}
