// Agents of several that packages beside LangGraph.js build: deep agents, a supervisor, a swarm.
import { tool } from '@langchain/core/tools';
import { MemorySaver } from '@langchain/langgraph';
import { createSupervisor } from '@langchain/langgraph-supervisor';
import { createHandoffTool, createSwarm } from '@langchain/langgraph-swarm';
import { ChatOpenAI } from '@langchain/openai';
import { createDeepAgent } from 'deepagents';
import { createAgent } from 'langchain';
import * as z from 'zod';
import { OUTPUT } from './recorded.mjs';

const model = (options) => new ChatOpenAI({ model: 'fake-model', useResponsesApi: false, ...options });
const lookup = tool(() => Promise.resolve(OUTPUT), {
  name: 'lookup',
  description: 'Looks a word up.',
  schema: z.object({ word: z.string() }),
});
const helper = (name, ...tools) =>
  createAgent({ model: model(), tools: [lookup, ...tools], systemPrompt: 'SECRET prompt', name });
const asked = (text) => ({ messages: [['user', text]] });

export const SCENARIOS = {
  async deep_agent() {
    const agent = createDeepAgent({ model: model(), tools: [lookup], systemPrompt: 'SECRET prompt' });
    await agent.invoke(asked('Q TOOL deep'));
  },
  async supervisor() {
    const agents = [helper('expert').graph];
    await createSupervisor({ agents, llm: model(), prompt: 'SECRET prompt' }).compile().invoke(asked('Q HANDOFF both'));
  },
  async swarm() {
    const first = helper('first', createHandoffTool({ agentName: 'second' })).graph;
    const swarm = createSwarm({ agents: [first, helper('second').graph], defaultActiveAgent: 'first' });
    const graph = swarm.compile({ checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: '1' } };
    await graph.invoke(asked('Q HANDOFF swarm'), config);
    await graph.invoke(asked('Q TOOL next'), config);
  },
};
