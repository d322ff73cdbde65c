import { type ContentRule, STATE_RULES } from './mapping-table.ts';

/**
 * Templates into which a question was filled, beside documents that were found for it: the defaults of LlamaIndex
 * (llama_index/core/prompts/default_prompts.py) and of LangChain (langchain_classic/chains/retrieval_qa, and
 * `rlm/rag-prompt`, which its guides use).
 */
const TEMPLATES: readonly { readonly begin: string; readonly before: string; readonly after: string }[] = [
  { begin: 'Context information is below.\n', before: '\nQuery: ', after: '\nAnswer:' },
  {
    begin: 'Use the following pieces of context to answer the question at the end.',
    before: '\nQuestion: ',
    after: '\nHelpful Answer:',
  },
  { begin: 'You are an assistant for question-answering tasks.', before: '\nQuestion: ', after: '\nContext: ' },
];

/** How DSPy marks the fields of a signature in a prompt, and in what a model answers to it. */
const FIELD = /^\[\[ ## (\w+) ## \]\]$/m;
/** What DSPy adds to the last field of a prompt. */
const INSTRUCTION = '\n\nRespond with the corresponding output fields';
/** Fields that are no answer to anybody. */
const THOUGHTS: ReadonlySet<string> = new Set(['reasoning', 'rationale', 'completed', 'trajectory']);

/** The text of somebody in a message: of a template of a framework, what stands at the place for it, if anything. */
export function readFilled(text: string, to: ContentRule['to']): string | undefined {
  if (text.startsWith('[[ ## ')) return findField(text, to);
  const template = to === 'question' ? TEMPLATES.find(({ begin }) => text.startsWith(begin)) : undefined;
  if (template === undefined) return text;
  const { before, after } = template;
  // Documents may contain the same words: of the default of LlamaIndex and the older one of LangChain the last counts.
  const end = after === '\nContext: ' ? text.indexOf(after) : text.lastIndexOf(after);
  const start = end < 0 ? -1 : text.lastIndexOf(before, end);
  return start < 0 ? text : text.slice(start + before.length, end).trim() || undefined;
}

function findField(text: string, to: ContentRule['to']): string | undefined {
  const [, ...parts] = text.split(FIELD);
  const fields = new Map<string, string>();
  for (let n = 0; n + 1 < parts.length; n += 2) {
    const [name, value] = [parts[n] ?? '', parts[n + 1] ?? ''];
    const [own = ''] = to === 'question' ? value.split(INSTRUCTION) : [value];
    if (own.trim() !== '' && !THOUGHTS.has(name)) fields.set(name, own.trim());
  }
  const named = STATE_RULES[to].find((name) => fields.has(name));
  const [only, ...more] = [...fields.values()];
  return named === undefined ? (more.length === 0 ? only : undefined) : fields.get(named);
}
