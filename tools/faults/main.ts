/** Hurts the split form in every way of `faults.ts`, under load, and counts: `npm run suite -- faults`. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openSplitWorkspace } from '../scenery/split-place.ts';
import { AVAILABILITY_HEAD, tryWithoutEach } from './availability.ts';
import { type Fault, FAULT_GROUPS, type FaultGroup, INSTANCES } from './fault.ts';
import { FAULTS } from './faults.ts';
import { judge, untilCaughtUp } from './judge.ts';
import { createCall, pause, startLoad } from './load.ts';
import { findBreaches, formatRow, readRows, type Row, writeRows, writeTable } from './page.ts';
import { openScene, type Scene } from './scene.ts';

const USAGE = `usage: npm run suite -- faults [OPTIONS]
  --group NAME  only this group of faults: ${FAULT_GROUPS.join(', ')}
  --only TEXT   only faults whose name contains this
  --missing     only faults of which the page has no row
  --without     instead: which service is there while each part is unavailable
  --write       put the rows into docs/operations/faults.md
Needs redis-server and MinIO or radosgw; a full disk needs root. All of it takes about 40 minutes.`;

const PAGE = fileURLToPath(new URL('../../docs/operations/faults.md', import.meta.url));
const BEFORE_MS = 3_000;
const AFTER_MS = 3_000;
const BACK_MS = 60_000;
const CAUGHT_UP_MS = 180_000;

const { values } = parseArgs({
  options: {
    group: { type: 'string' },
    only: { type: 'string', default: '' },
    missing: { type: 'boolean' },
    without: { type: 'boolean' },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) process.stdout.write(`${USAGE}\n`);
else if (values.without === true) await runWithout();
else process.exitCode = (await runAll()) ? 0 : 1;

/** Takes each part away in turn, and tries what still works. */
async function runWithout(): Promise<void> {
  const scene = await openScene(1);
  try {
    const lines = [...AVAILABILITY_HEAD, ...(await tryWithoutEach(scene))];
    if (values.write === true) await writeTable(PAGE, 'availability', lines);
  } finally {
    await scene.close();
  }
}

/** Runs the faults that are wanted, a new installation for each group; whether all bounds held. */
async function runAll(): Promise<boolean> {
  let hasHeld = true;
  const rows = new Map<string, string>();
  const known = values.missing === true ? await readRows(PAGE) : new Map<string, string>();
  for (const group of FAULT_GROUPS) {
    const wanted = FAULTS.filter((fault) => isWanted(fault, group, known));
    if ((values.group !== undefined && values.group !== group) || wanted.length === 0) continue;
    const scene = await openScene(INSTANCES[group], { hasPaths: group === 'paths' });
    try {
      for (const fault of wanted) {
        const row = await run(scene, fault);
        const line = formatRow(row);
        process.stdout.write(`${line}\n`);
        rows.set(fault.name, line);
        hasHeld &&= findBreaches(row) === '';
        if (values.write === true)
          await writeRows(
            PAGE,
            rows,
            FAULTS.map(({ name }) => name),
          );
      }
    } finally {
      await scene.close();
    }
  }
  return hasHeld;
}

function isWanted(fault: Fault, group: FaultGroup, known: ReadonlyMap<string, string>): boolean {
  return fault.group === group && fault.name.includes(values.only) && !known.has(fault.name);
}

/** One fault, under load in a workspace of its own. */
async function run(scene: Scene, fault: Fault): Promise<Row> {
  const { installation } = scene;
  const { managerToken } = await openSplitWorkspace(installation);
  const call = createCall(installation, managerToken);
  const load = startLoad(call);
  await pause(BEFORE_MS);
  let endedAt: number | undefined;
  await fault.strike(scene, () => (endedAt = performance.now()));
  endedAt ??= performance.now();
  const ended = endedAt;
  const deadline = performance.now() + BACK_MS;
  const findBack = (): number | undefined => load.createdAt.find((at) => at > ended);
  while (findBack() === undefined && performance.now() < deadline) await pause(50);
  await pause(AFTER_MS);
  const result = await load.stop(BACK_MS);
  const caughtUpAt = await untilCaughtUp(call, result, CAUGHT_UP_MS);
  for (const [what, times] of result.failures) process.stderr.write(`${fault.name}: ${times} times ${what}\n`);
  const gaps = result.createdAt.map((at, n) => at - (result.createdAt[n - 1] ?? at));
  const backAt = findBack();
  return {
    fault,
    acknowledged: result.records.size + result.assets.size + result.runs.length,
    ...(await judge(call, result)),
    longestGap: Math.max(0, ...gaps) / 1_000,
    createsBack: backAt === undefined ? undefined : (backAt - ended) / 1_000,
    // The load itself went on for a while, so that a part which came back had something to do.
    workBack: caughtUpAt === undefined ? undefined : (caughtUpAt - ended) / 1_000,
  };
}
