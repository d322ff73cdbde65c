import '../help/before-run.ts';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { layOut } from '../format/lay-out.ts';
import { openTestService } from '../scenery/test-service.ts';
import { runExamples, shownOf } from './examples/run-examples.ts';
import { StandIns } from './examples/stand-ins.ts';

/** Runs every example against a service of its own and records how it responded. */
const path = fileURLToPath(new URL('../../libs/contracts/src/examples/recorded-replies.json', import.meta.url));
const service = await openTestService();
try {
  const standIns = new StandIns();
  const replies: Record<string, unknown> = {};
  for (const run of await runExamples(service)) {
    const { example, reply } = run;
    if (reply.status !== example.status) throw new Error(`${example.name} got ${reply.status}: ${reply.text}`);
    const shown = shownOf(run);
    if (shown !== undefined) replies[example.name] = standIns.replace(example.name, shown);
  }
  await writeFile(path, await layOut(path, JSON.stringify(replies)));
} finally {
  await service.close();
}
