import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { runExamples, shownOf } from '../../e2e/examples/run-examples.ts';
import { StandIns } from '../../e2e/examples/stand-ins.ts';
import { openTestService } from '../../e2e/support/test-service.ts';

/** Runs every example against a service of its own and writes down what it answered. */
const path = fileURLToPath(new URL('../../libs/contracts/src/examples/recorded-replies.ts', import.meta.url));
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
  const text = `/** Replies to the examples, recorded by \`npm run api:examples\`; do not edit. Ids, times and bytes are stand-ins. */
export const RECORDED_REPLIES: Readonly<Record<string, unknown>> = ${JSON.stringify(replies)};\n`;
  await writeFile(path, await format(text, { ...(await resolveConfig(path)), parser: 'typescript' }));
} finally {
  await service.close();
}
