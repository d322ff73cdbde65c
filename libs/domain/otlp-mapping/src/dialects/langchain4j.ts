import type { Dialect } from './dialect.ts';

/** LangChain4j, which the conventions describe: its own is what it appends to a question. */
export const LANGCHAIN4J: Dialect = {
  name: 'langchain4j',
  source: 'langchain4j/langchain4j',
  appended: [
    '\n\nAnswer using the following information:\n',
    '\nYou must answer strictly in the following JSON format: ',
  ],
};
