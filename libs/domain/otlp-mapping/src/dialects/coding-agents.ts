import type { Dialect } from './dialect.ts';

/** Gemini CLI and GitHub Copilot. */
export const CODING_AGENTS: Dialect = {
  name: 'coding_agents',
  source: 'google-gemini/gemini-cli, docs.github.com/copilot',
  quirks: [
    // An answer is shown in the pieces of its stream.
    { scopes: ['gemini-cli'], gathering: 'pieces' },
    // All answers of a run are shown in one.
    { scopes: ['github.copilot'], gathering: 'turns' },
  ],
  // GitHub Copilot puts a time before what a person typed, Gemini CLI the folder it works in.
  prepended: /^\s*<(current_datetime|session_context)>[^]*?<\/\1>\s*/,
};
