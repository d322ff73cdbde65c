import type { Dialect } from './dialect.ts';
import { OPERATION } from './gen-ai.ts';
import { rewriting, template } from './template.ts';

/** A step of LangChain.js. OpenLLMetry shows each of them as a trace of its own, apart from the calls of models. */
export const LANGCHAIN_STEP = OPERATION('workflow');

/** LangChain and LangGraph, which other conventions describe: its own are prompts. */
export const LANGCHAIN: Dialect = {
  name: 'langchain',
  source: 'langchain-ai/langchain, libs/langchain/langchain_classic/chains and agents; rlm/rag-prompt, hwchase17/react',
  templates: [
    rewriting('Given the following conversation ', 'Follow Up Input: ', 'Standalone question:'),
    // What a middleware tells a model to make a summary.
    rewriting('<role>\nContext Extraction Assistant\n</role>', '\n<messages>\n', '\n</messages>'),
    template('Use the following pieces of context to answer', '\nQuestion: ', '\nHelpful Answer:', 'last'),
    template('Use the following portion of a long document', '\nQuestion: ', '\nRelevant text, if any:', 'last'),
    template('The following is a friendly conversation between a human', '\nHuman: ', '\nAI:', 'last'),
    template('You are an assistant for question-answering tasks.', '\nQuestion: ', '\nContext: '),
    template('Answer the following questions as best you can', 'Begin!\n\nQuestion: ', '\nThought:'),
    template('Assistant is a large language model trained by OpenAI.', '\nNew input: ', ['\nThought:', '\n']),
    template('TOOLS\n------\nAssistant can ask', 'a json blob with a single action, and NOTHING else):\n\n', []),
  ],
  appended: ['\n\nThis was your previous work (but I haven', '\n (reminder to respond in a JSON blob no matter what)'],
  // How LangGraph ends a node that asks a person, in the words of OpenInference and of Langfuse for Node and Python.
  pauses: { words: /\bGraphInterrupt\b|^\(Interrupt\(value=/ },
  // What a middleware instructs a model by to choose tools.
  instructions: ["Your goal is to select the most relevant tools for answering the user's query."],
  finalMarks: ['Final Answer:'],
  finalMarksBehindThought: ['AI:'],
  // Of agents that speak JSON.
  action: { name: 'action', input: 'action_input', final: 'Final Answer' },
  // The names of a beginning and an end in LangGraph.
  leftOut: [/^__(?:start|end)__$/],
  writes: {
    roles: {
      human: 'user',
      humanmessage: 'user',
      humanmessagechunk: 'user',
      ai: 'assistant',
      aimessage: 'assistant',
      aimessagechunk: 'assistant',
      systemmessage: 'system',
      toolmessage: 'tool',
      toolmessagechunk: 'tool',
      function: 'tool',
      functionmessage: 'tool',
      remove: 'tool',
    },
    messageWrappers: ['data', 'kwargs'],
    documentMembers: ['page_content'],
    // How a graph of LangGraph is told to go on.
    resumption: { sign: 'resume', members: ['graph', 'update', 'resume', 'goto'] },
    returning: 'Returning structured response: ',
  },
  // How a middleware marks the calls that it makes for itself: to choose tools, to shorten a history.
  ownCalls: 'lc_source',
  modelWords: [/lang(?:chain|graph)/i],
};
