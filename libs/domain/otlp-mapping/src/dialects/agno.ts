import type { Dialect } from './dialect.ts';

/** Agno, which other conventions describe: its own is what it appends to a question. */
export const AGNO: Dialect = {
  name: 'agno',
  source: 'agno-agi/agno, libs/agno/agno/agent',
  appended: [
    '\n\nUse the following references from the knowledge base if it helps:\n<references>\n',
    '\n\n<additional context>\n',
  ],
  // While tools wait for a person, or for the application.
  waiting: {
    begin: /^I have tools to execute, but (?:I need|it needs) /,
    rest: /^(?:confirmation|user input|external execution)[\w, ]*\.$/,
  },
};
