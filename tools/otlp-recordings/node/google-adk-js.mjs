/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { provider } from './registered.mjs';

process.env.GOOGLE_GEMINI_BASE_URL = process.env.MODEL_URL;
import * as z from 'zod';
import { OUTPUT, run } from './recorded.mjs';

const OWNER = '1';
// docs: begin
// Register the provider in a module that is imported before this one, where the kit looks for it.
import { FunctionTool, InMemoryRunner, LlmAgent } from '@google/adk';
// docs: end
const lookup = new FunctionTool({
  name: 'lookup',
  description: 'Looks a word up.',
  parameters: z.object({ word: z.string() }),
  execute: () => ({ result: OUTPUT }),
});
const common = { model: 'gemini-2.0-flash', instruction: 'SECRET prompt' };
const helper = new LlmAgent({ ...common, name: 'helper', tools: [lookup] });
async function ask(agent, ...texts) {
  const runner = new InMemoryRunner({ agent, appName: 'support-bot' });
  const session = await runner.sessionService.createSession({ appName: 'support-bot', userId: OWNER });
  for (const text of texts) {
    const newMessage = { role: 'user', parts: [{ text }] };
    for await (const _ of runner.runAsync({ userId: OWNER, sessionId: session.id, newMessage }));
  }
}
await run(provider, {
  agent_of_text: () => ask(helper, 'Q agent'),
  agent_with_memory: () => ask(helper, 'Q first', 'Q TOOL second'),
  tools_in_parallel: () => ask(helper, 'Q PARALLEL SAYING agent'),
  failed: () => ask(helper, 'Q TOOL SAYING FAIL agent').catch(() => undefined),
});
