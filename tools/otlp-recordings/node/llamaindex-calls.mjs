// Queries, chats and agents of LlamaIndex for TypeScript, for the instrumentations of it.
import { OUTPUT } from './recorded.mjs';

export function createScenarios(llamaindex, { OpenAI, OpenAIEmbedding }, { agent: makeAgent }) {
  const { Document, Settings, VectorStoreIndex, ContextChatEngine, tool } = llamaindex;
  Settings.llm = new OpenAI({ model: 'gpt-4o-mini', apiKey: 'none' });
  Settings.embedModel = new OpenAIEmbedding({ apiKey: 'none' });
  const history = [
    { role: 'user', content: 'Q first' },
    { role: 'assistant', content: 'A first' },
  ];
  const system = { role: 'system', content: 'SECRET prompt' };
  const index = () => {
    const metadata = { file_name: 'returns.md', url: 'https://example.com/returns' };
    return VectorStoreIndex.fromDocuments([new Document({ text: 'DOCUMENT SECRET', metadata })]);
  };
  const lookup = tool({
    name: 'lookup',
    description: 'Looks a word up.',
    parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    execute: () => OUTPUT,
  });
  return {
    conversation: () => Settings.llm.chat({ messages: [system, ...history, { role: 'user', content: 'Q last' }] }),
    async streamed() {
      await Array.fromAsync(
        await Settings.llm.chat({ messages: [system, { role: 'user', content: 'Q streamed' }], stream: true }),
      );
    },
    async query() {
      await (await index()).asQueryEngine().query({ query: 'Q query' });
    },
    async query_streamed() {
      await Array.fromAsync(await (await index()).asQueryEngine().query({ query: 'Q query streamed', stream: true }));
    },
    async chat() {
      const retriever = (await index()).asRetriever();
      const engine = new ContextChatEngine({ retriever, systemPrompt: 'SECRET prompt' });
      await engine.chat({ message: 'Q chat', chatHistory: history });
    },
    async agent() {
      await makeAgent({ tools: [lookup], llm: Settings.llm, systemPrompt: 'SECRET prompt' }).run('Q TOOL agent', {
        chatHistory: history,
      });
    },
  };
}
