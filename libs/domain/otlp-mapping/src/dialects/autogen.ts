import type { Dialect } from './dialect.ts';
import { template } from './template.ts';

/** AutoGen and AG2, which other conventions describe: their own are prompts. */
export const AUTOGEN: Dialect = {
  name: 'autogen',
  source: 'microsoft/autogen; ag2ai/ag2, autogen/agentchat/contrib/retrieve_user_proxy_agent.py',
  templates: [template("You're a retrieve augmented ", "\nUser's question is: ", '\n\nContext is: ')],
  // To an agent that it hands over to.
  feedback: [/^Transferred to (\S+), adopting the role of \1 immediately\.$/],
  // All other types are of tools, memories and thoughts.
  writes: { sources: { types: /(?:Message|Event)$/, said: 'TextMessage', person: 'user' } },
  modelWords: [/autogen/i],
};
