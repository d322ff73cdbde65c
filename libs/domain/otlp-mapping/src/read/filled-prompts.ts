import type { ContentRule } from '../dialects/content-rule.ts';
import { STATE_RULES } from '../dialects/mapping-table.ts';
import type { AttributeValue } from '../item/otlp-item.ts';
import { readObject } from '../item/written-object.ts';
import { withoutContext } from './coding-agents.ts';
import { findFinal } from './final-answers.ts';

/**
 * A prompt into which a framework fills a question, beside documents or instructions of its own. The question stands
 * between `before` and the first of `after` that follows it; without one, it is the rest. In a prompt in which what
 * comes before the question is not the framework's, such as documents, the question is what stands last.
 */
type Template = {
  readonly begin: string;
  /** Without this, somebody may have begun so. */
  readonly needs?: string;
  readonly before: string;
  readonly after: readonly string[];
  readonly stands: 'first' | 'last';
  /** What the model writes is another question, for a search, and no answer. */
  readonly isRewriting?: boolean;
};

const template = (
  begin: string,
  before: string,
  after: string | readonly string[],
  stands: Template['stands'] = 'first',
): Template => ({ begin, before, after: typeof after === 'string' ? [after] : after, stands });

const rewriting = (begin: string, before: string, after: string): Template => ({
  ...template(begin, before, after, 'last'),
  isRewriting: true,
});

/**
 * The default prompts of LlamaIndex (llama_index/core/prompts and chat_engine), of LangChain (langchain_classic/chains
 * and agents, and those of `rlm/rag-prompt` and `hwchase17/react`, which its guides use), of CrewAI
 * (crewai/translations/en.json), of smolagents (smolagents/memory.py), of Marvin (marvin/templates), of Strands Agents
 * (strands/multiagent/graph.py) and of AutoGen's retrieving agent.
 */
const TEMPLATES: readonly Template[] = [
  template('Context information is below.\n', '\nQuery: ', '\nAnswer:', 'last'),
  template('Context information from multiple sources is below.\n', '\nQuery: ', '\nAnswer:', 'last'),
  template(
    'The original query is as follows: ',
    'The original query is as follows: ',
    '\nWe have provided an existing',
  ),
  template('You are an expert Q&A system that strictly operates in two', '\nQuery: ', '\nOriginal Answer: ', 'last'),
  rewriting(
    'Given a conversation (between Human and Assistant) and a follow up message from Human, rewrite',
    '\n<Follow Up Message>\n',
    '\n\n<Standalone question>',
  ),
  rewriting('Given the following conversation ', 'Follow Up Input: ', 'Standalone question:'),
  // What a middleware of LangChain tells a model to make a summary.
  rewriting('<role>\nContext Extraction Assistant\n</role>', '\n<messages>\n', '\n</messages>'),
  template('Use the following pieces of context to answer', '\nQuestion: ', '\nHelpful Answer:', 'last'),
  template('Use the following portion of a long document', '\nQuestion: ', '\nRelevant text, if any:', 'last'),
  template('The following is a friendly conversation between a human', '\nHuman: ', '\nAI:', 'last'),
  template('You are an assistant for question-answering tasks.', '\nQuestion: ', '\nContext: '),
  template('Answer the following questions as best you can', 'Begin!\n\nQuestion: ', '\nThought:'),
  template('Assistant is a large language model trained by OpenAI.', '\nNew input: ', ['\nThought:', '\n']),
  template('TOOLS\n------\nAssistant can ask', 'a json blob with a single action, and NOTHING else):\n\n', []),
  template('Current Task: ', 'Current Task: ', [
    '\n\nThis is the expected criteria for your final answer: ',
    "\n\nThis is the context you're working with:\n",
    '\n\n# Memories from past conversations:\n',
    '\n\nBegin! This is VERY important to you, ',
    '\n\nProvide your complete response:',
  ]),
  // As LoongSuite shows what an agent of CrewAI is told.
  { ...template('Task: ', 'Task: ', '\nExpected output: '), needs: '\nExpected output: ' },
  // What the next node of a graph of Strands Agents is told.
  {
    ...template('Original Task: ', 'Original Task: ', '\n\nInputs from previous nodes:\n'),
    needs: '\n\nInputs from previous nodes:\n',
  },
  template('New task:\n', 'New task:\n', '\nYou have been provided with these additional arguments'),
  // What an agent of smolagents is told by the agent that manages it, which alone answers somebody.
  {
    ...rewriting(
      "You're a helpful agent named '",
      '\nTask:\n',
      "\n---\nYou're helping your manager solve a wider task",
    ),
    needs: 'submitted this task by your manager',
  },
  template('<task>\n    <id>', '\n    <instructions>\n', '\n    </instructions>\n'),
  template("You're a retrieve augmented ", "\nUser's question is: ", '\n\nContext is: '),
];

/**
 * What frameworks append to a question: documents (Spring AI, LangChain4j, Agno), or the form of the answer (Spring AI,
 * LangChain4j, LangChain's agents of structured chat).
 */
const APPENDED: readonly string[] = [
  '\n\nContext information is below, surrounded by ---------------------\n',
  '\n\nAnswer using the following information:\n',
  '\n\nUse the following references from the knowledge base if it helps:\n<references>\n',
  '\n\n<additional context>\n',
  '\nYour response should be in JSON format.\nDo not include any explanations, only provide a RFC8259 compliant',
  '\nYou must answer strictly in the following JSON format: ',
  '\n\nThis was your previous work (but I haven',
  '\n (reminder to respond in a JSON blob no matter what)',
];

/** How DSPy marks the fields of a signature in a prompt, and in what a model answers to it. */
const FIELD = /^\[\[ ## (\w+) ## \]\]$/m;
/** What DSPy adds to the last field of a prompt, for each form of the answer. */
const INSTRUCTION =
  /\n\nRespond with (?:the corresponding output fields|a JSON object in the following order of fields)/;
const JSON_INSTRUCTION = /\n\nRespond with a JSON object in the following order of fields/;
/** Fields that are no answer to anybody. */
const THOUGHTS: ReadonlySet<string> = new Set(['reasoning', 'rationale', 'completed', 'trajectory']);

/** The text of somebody in a message: of a template of a framework, what stands at the place for it, if anything. */
export function readFilled(text: string, to: ContentRule['to']): string | undefined {
  if (text.startsWith('[[ ## ')) return findField(text, to);
  return to === 'question' ? withoutAppended(findFilledIn(withoutContext(text))) : findFinal(text);
}

/** Whether a message tells a model to rewrite a question, by a template of a framework. */
export function isRewriting(text: string): boolean {
  return findTemplate(text.trimStart())?.isRewriting === true;
}

/** What a middleware of LangChain instructs a model by to choose tools. */
const CHOOSING = "Your goal is to select the most relevant tools for answering the user's query.";

/** Whether an instruction makes a model work for a framework, and not for a person. */
export function isInstructedStep(instructions: AttributeValue | undefined): boolean {
  return typeof instructions === 'string' && instructions.includes(CHOOSING);
}

function findTemplate(text: string): Template | undefined {
  return TEMPLATES.find(({ begin, needs = '' }) => text.startsWith(begin) && text.includes(needs));
}

function findFilledIn(text: string): string {
  const trimmed = text.trimStart();
  const known = findTemplate(trimmed);
  if (known === undefined) return text;
  const found = known.stands === 'first' ? findFirst(trimmed, known) : findLast(trimmed, known);
  return found?.trim() ?? text;
}

function findFirst(text: string, { before, after }: Template): string | undefined {
  const at = text.indexOf(before);
  if (at < 0) return undefined;
  const start = at + before.length;
  const ends = after.map((end) => text.indexOf(end, start)).filter((end) => end >= 0);
  return text.slice(start, ends.length === 0 ? undefined : Math.min(...ends));
}

/** Documents may contain the same words, so the last ones count. */
function findLast(text: string, { before, after: [after = ''] }: Template): string | undefined {
  const end = text.lastIndexOf(after);
  const start = end < 0 ? -1 : text.lastIndexOf(before, end);
  return start < 0 ? undefined : text.slice(start + before.length, end);
}

function withoutAppended(text: string): string {
  const ends = APPENDED.map((end) => text.indexOf(end)).filter((end) => end > 0);
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends)).trim();
}

function findField(text: string, to: ContentRule['to']): string | undefined {
  const [, ...parts] = text.split(FIELD);
  const fields = new Map<string, string>();
  for (let n = 0; n + 1 < parts.length; n += 2) {
    const [name, value] = [parts[n] ?? '', parts[n + 1] ?? ''];
    const [own = ''] = to === 'question' ? value.split(INSTRUCTION, 1) : [value];
    if (own.trim() !== '' && !THOUGHTS.has(name)) fields.set(name, own.trim());
  }
  return selectField(fields, to);
}

function selectField(fields: ReadonlyMap<string, string>, to: ContentRule['to']): string | undefined {
  const named = STATE_RULES[to].find((name) => fields.has(name));
  const [only, ...more] = [...fields.values()];
  return named === undefined ? (more.length === 0 ? only : undefined) : fields.get(named);
}

/** Whether DSPy asks a model for its fields as JSON. */
export function asksForJson(text: string): boolean {
  return text.startsWith('[[ ## ') && JSON_INSTRUCTION.test(text);
}

/** The answer among such fields; undefined where none of them is known to be one. */
export function readJsonFields(text: string): string | undefined {
  const members = Object.entries(readObject(text) ?? {}).filter(([name]) => !THOUGHTS.has(name));
  const texts = members.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  return selectField(new Map(texts), 'answer');
}
