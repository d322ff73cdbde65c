import { until } from '../scenery/service-process.ts';
import type { DeployedProject } from './deployed-project.ts';

const CREATES_MS = 120_000;
const AROUND = 10;

/** What happens to creates while something is done to a project. */
export type Trial = {
  /** Does something while creates go on, before it and after it; prints how they fared. What was refused. */
  readonly underLoad: (name: string, action: () => Promise<unknown>) => Promise<readonly string[]>;
  /** What of everything that was acknowledged is lost or doubled, and what the check of the ledger says. */
  readonly judge: () => Promise<{ readonly lost: number; readonly doubled: number; readonly check: string }>;
};

/** Begins to count what a project acknowledges. It needs its workspace. */
export function createTrial(project: DeployedProject): Trial {
  const acknowledged = new Map<string, string>();
  return {
    async underLoad(name, action) {
      const load = project.startLoad(name.replace(/\W+/g, '-'));
      const reach = (count: number) =>
        until(
          `${count} creates: ${load.refused.slice(0, 3).join(', ')}`,
          () => load.acknowledged.size >= count,
          CREATES_MS,
        );
      try {
        await reach(AROUND);
        await action();
        await reach(load.acknowledged.size + AROUND);
      } finally {
        await load.stop();
        for (const [key, id] of load.acknowledged) acknowledged.set(key, id);
      }
      const saw = [...new Set(load.refused.map((line) => line.split(' ')[1]))].join(', ') || 'nothing';
      const gap = (load.longestGapMs / 1_000).toFixed(1);
      process.stdout.write(`| ${name} | ${load.acknowledged.size} | ${gap} | ${saw} |\n`);
      return load.refused;
    },
    async judge() {
      const exported = await project.runInside(
        'proxy',
        'answer-evidence records export --all --application load --format jsonl --out all.jsonl >/dev/null; cat all.jsonl',
      );
      const ids = new Map<string, readonly string[]>();
      for (const line of exported.split('\n')) {
        if (!line.startsWith('{')) continue;
        const { id, idempotency_key: key } = JSON.parse(line) as { id: string; idempotency_key: string };
        ids.set(key, [...(ids.get(key) ?? []), id]);
      }
      const said = await project.compose('run', '--rm', '-T', 'operator', 'ledger-check');
      return {
        lost: [...acknowledged].filter(([key, id]) => ids.get(key)?.includes(id) !== true).length,
        doubled: [...ids.values()].filter((list) => list.length > 1).length,
        check: /demo: (\w+)/.exec(said)?.[1] ?? said,
      };
    },
  };
}
