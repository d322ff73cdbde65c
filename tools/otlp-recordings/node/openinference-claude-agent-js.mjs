/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { openProvider, OUTPUT, run } from './recorded.mjs';

const provider = openProvider();
// docs: begin
import * as sdk from '@anthropic-ai/claude-agent-sdk';
import { ClaudeAgentSDKInstrumentation } from '@arizeai/openinference-instrumentation-claude-agent-sdk';

const instrumentation = new ClaudeAgentSDKInstrumentation({ tracerProvider: provider });
const { query } = instrumentation.manuallyInstrument({ ...sdk }) ?? sdk;
// docs: end
const home = mkdtempSync(join(tmpdir(), 'recorded-'));
const env = { ...process.env, CLAUDE_CONFIG_DIR: home, HOME: home, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' };
const lookup = sdk.tool('lookup', 'Looks a word up.', { word: z.string() }, () => {
  return Promise.resolve({ content: [{ type: 'text', text: OUTPUT }] });
});
const shelf = sdk.createSdkMcpServer({ name: 'shelf', tools: [lookup] });
const common = { systemPrompt: 'SECRET prompt', model: 'fake-model', env, cwd: home, settingSources: [] };
async function ask(prompt, options) {
  for await (const _ of query({ prompt, options: { ...common, ...options } }));
}
await run(provider, {
  agent_of_text: () => ask('Q agent'),
  agent_with_tool: () => ask('Q TOOL agent', { mcpServers: { shelf }, allowedTools: ['mcp__shelf__lookup'] }),
});
process.exit(0);
