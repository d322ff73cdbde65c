// Chains, agents and graphs of LangChain.js and LangGraph.js, for the instrumentations of them.
import { Document } from '@langchain/core/documents';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { BaseRetriever } from '@langchain/core/retrievers';
import { RunnablePassthrough, RunnableSequence } from '@langchain/core/runnables';
import { tool } from '@langchain/core/tools';
import { Annotation, END, interrupt, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { AIMessage, createAgent, createMiddleware, llmToolSelectorMiddleware, toolStrategy } from 'langchain';
import * as z from 'zod';
import { OUTPUT } from './recorded.mjs';

const model = (options) => new ChatOpenAI({ model: 'fake-model', useResponsesApi: false, ...options });
const lookup = tool(() => Promise.resolve(OUTPUT), {
  name: 'lookup',
  description: 'Looks a word up.',
  schema: z.object({ word: z.string() }),
});
const createHelper = (options) =>
  createAgent({ model: model(), tools: [lookup], systemPrompt: 'SECRET prompt', ...options });

class Shelf extends BaseRetriever {
  lc_namespace = ['support_bot'];

  _getRelevantDocuments() {
    const metadata = { source: 'returns.md', score: 0.5 };
    return Promise.resolve([new Document({ id: 'doc-1', pageContent: 'DOCUMENT SECRET', metadata })]);
  }
}

export const SCENARIOS = {
  async chain_of_dict() {
    const prompt = ChatPromptTemplate.fromMessages([
      ['system', 'SECRET prompt'],
      ['user', '{question} ({context})'],
    ]);
    await prompt.pipe(model()).invoke({ question: 'Q dict', context: 'some context' });
  },
  async agent_with_history() {
    const messages = [
      ['user', 'Q first'],
      ['assistant', 'A first'],
      ['user', 'Q TOOL agent'],
    ];
    await createHelper().invoke({ messages });
  },
  async agent_with_memory() {
    const agent = createHelper({ checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: '1' } };
    await agent.invoke({ messages: [['user', 'Q first']] }, config);
    await agent.invoke({ messages: [['user', 'Q TOOL second']] }, config);
  },
  async agent_streamed() {
    const agent = createHelper({ model: model({ streaming: true }) });
    const given = { messages: [['user', 'Q TOOL streamed']] };
    await Array.fromAsync(await agent.stream(given, { streamMode: 'messages' }));
  },
  async retrieval() {
    const prompt = ChatPromptTemplate.fromMessages([
      ['system', 'SECRET prompt'],
      ['user', 'From {context}\n\n{question}'],
    ]);
    const context = new Shelf().pipe(([found]) => found.pageContent);
    const given = { context, question: new RunnablePassthrough() };
    await RunnableSequence.from([given, prompt, model(), new StringOutputParser()]).invoke('Q retrieval');
  },
  async graph_with_retrieval() {
    const state = Annotation.Root({ question: Annotation(), documents: Annotation(), generation: Annotation() });
    const retrieve = async ({ question }) => ({ documents: await new Shelf().invoke(question) });
    const generate = async ({ question }) => ({ generation: (await model().invoke([['user', question]])).content });
    const graph = new StateGraph(state)
      .addNode('retrieve', retrieve)
      .addNode('generate', generate)
      .addEdge(START, 'retrieve')
      .addEdge('retrieve', 'generate')
      .addEdge('generate', END);
    await graph.compile().invoke({ question: 'Q graph' });
  },
  async answer_of_middleware() {
    const hook = () => ({ messages: [new AIMessage('I may not say that.')], jumpTo: 'end' });
    const stop = createMiddleware({ name: 'Stop', beforeModel: { canJumpTo: ['end'], hook } });
    await createHelper({ middleware: [stop] }).invoke({ messages: [['user', 'Q stopped']] });
  },
  async answer_changed() {
    const afterModel = ({ messages }) => {
      const { id, tool_calls: calls = [] } = messages.at(-1);
      return calls.length > 0 ? undefined : { messages: [new AIMessage({ id, content: 'CHANGED' })] };
    };
    const change = createMiddleware({ name: 'Change', afterModel });
    await createHelper({ middleware: [change] }).invoke({ messages: [['user', 'Q TOOL changed']] });
  },
  async tools_chosen() {
    const other = tool(() => Promise.resolve(OUTPUT), { name: 'other', description: 'Looks.', schema: z.object({}) });
    const choose = llmToolSelectorMiddleware({ model: model(), maxTools: 1 });
    await createHelper({ tools: [lookup, other], middleware: [choose] }).invoke({
      messages: [['user', 'Q TOOL chosen']],
    });
  },
  async graph_paused() {
    const state = Annotation.Root({ question: Annotation(), draft: Annotation(), told: Annotation() });
    const write = async ({ question }) => ({ draft: (await model().invoke([['user', question]])).content });
    const graph = new StateGraph(state)
      .addNode('write', write)
      .addNode('review', ({ draft }) => ({ told: interrupt('May I say that?') === 'yes' ? draft : 'nothing' }))
      .addEdge(START, 'write')
      .addEdge('write', 'review')
      .addEdge('review', END);
    const config = { configurable: { thread_id: '1' } };
    await graph.compile({ checkpointer: new MemorySaver() }).invoke({ question: 'Q paused' }, config);
  },
  async graph_with_judge() {
    const state = Annotation.Root({ topic: Annotation(), joke: Annotation(), grade: Annotation() });
    const judge = model().withStructuredOutput(z.object({ grade: z.string() }));
    const write = async ({ topic }) => ({ joke: (await model().invoke([['user', topic]])).content });
    const graph = new StateGraph(state)
      .addNode('write', write)
      .addNode('judge', ({ joke }) =>
        judge.invoke([
          ['system', 'SECRET Grade this.'],
          ['user', joke],
        ]),
      )
      .addEdge(START, 'write')
      .addEdge('write', 'judge')
      .addEdge('judge', END);
    await graph.compile().invoke({ topic: 'Q judged' });
  },
  async parts() {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
    const content = [{ type: 'text', text: 'Q parts' }, image];
    await createHelper().invoke({ messages: [{ role: 'user', content }] });
  },
  async structured() {
    const responseFormat = toolStrategy(z.object({ text: z.string(), stars: z.number() }));
    await createHelper({ responseFormat }).invoke({ messages: [['user', 'Q TOOL structured']] });
  },
};
