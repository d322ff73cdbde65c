import type { Dialect } from './dialect.ts';
import { template } from './template.ts';

/** CrewAI, which other conventions describe: its own are prompts. */
export const CREWAI: Dialect = {
  name: 'crewai',
  source: 'crewAIInc/crewAI, crewai/translations/en.json',
  templates: [
    template('Current Task: ', 'Current Task: ', [
      '\n\nThis is the expected criteria for your final answer: ',
      "\n\nThis is the context you're working with:\n",
      '\n\n# Memories from past conversations:\n',
      '\n\nBegin! This is VERY important to you, ',
      '\n\nProvide your complete response:',
    ]),
    // As LoongSuite shows what an agent is told.
    { ...template('Task: ', 'Task: ', '\nExpected output: '), needs: '\nExpected output: ' },
  ],
  finalMarks: ['Final Answer:'],
  modelWords: [/crewai/i],
};
