/** A chat that was rendered into one text for a model, by the marks with which each of its turns begins. */
export type Family = {
  /** The mark of a turn, with the name of its role; without a name, of what the mark itself says. */
  readonly marks: RegExp;
  /** What ends a turn. */
  readonly ends: readonly string[];
  /** Its marks are words that people write, too, and not tokens of a model. */
  readonly isOfWords?: boolean;
  /** People write its marks so often that instructions must come first, or that the turn of a model is open. */
  readonly needs?: 'instructions' | 'open turn';
  /** Instructions stand in the first turn of the user, with or without marks of their own. */
  readonly mergesInstructions?: boolean;
};

/** Names of roles in the marks of words. */
const WORDS =
  /^(?:[-*] )?\*{0,2}(system|developer|instructions?|user|human|assistant|ai|bot|model|tool|function)(?: message| prompt)?\*{0,2}:\*{0,2}(?=\s|$)/gim;
const HEADINGS =
  /^#{1,6} ?(system|developer|instructions?|user|human|input|question|assistant|ai|response|answer|tool|context)(?: message| prompt)?(?::|(?=\r?$))/gim;
const RULES =
  /^[=~*-]{2,40} ?(system|developer|user|human|assistant|ai|tool|function)(?: message| prompt)? ?[=~*-]{2,40}(?=\r?$)/gim;
const BRACKETS = /^\[(system|developer|user|human|assistant|ai|bot|model|tool)\]:?(?=\s|$)/gim;
const MEMBERS =
  /^(?:- )?role ?[:=] ?["']?(system|developer|user|human|assistant|ai|tool)["']?,?\s{1,4}content ?[:=]/gim;
const ELEMENTS = /<(system|developer|user|human|assistant)(?:_(?:prompt|query|message|input|instructions))?>/gi;
/** Of Vicuna, whose turns stand in one line. */
const CAPITALS = /\b(USER|HUMAN|ASSISTANT|GPT):(?=\s|$)/g;
const QUESTIONS = /^(question|query|q|user|answer|response|a):(?=\s|$)/gim;

const ELEMENT_ENDS = ['system', 'developer', 'user', 'human', 'assistant'].flatMap((role) =>
  ['', '_prompt', '_query', '_message', '_input', '_instructions'].map((more) => `</${role}${more}>`),
);

/** The families: tokens of models, and words as LangChain, OpenLIT, Anthropic, Alpaca and others write them. */
export const FAMILIES: readonly Family[] = [
  // ChatML.
  { marks: /<\|im_start\|>(\w{1,20})/g, ends: ['<|im_end|>'] },
  // Llama 3 and 4.
  {
    marks: /<\|start_header_id\|>(\w{1,20})<\|end_header_id\|>/g,
    ends: ['<|eot_id|>', '<|eom_id|>', '<|end_of_text|>'],
  },
  { marks: /<\|header_start\|>(\w{1,20})<\|header_end\|>/g, ends: ['<|eot|>', '<|eom|>', '<|end_of_text|>'] },
  // Llama 2 and Mistral.
  {
    marks: /(\[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_RESULTS)\])/g,
    ends: ['</s><s>', '</s>'],
    mergesInstructions: true,
  },
  // Gemma.
  { marks: /<start_of_turn>(\w{1,20})/g, ends: ['<end_of_turn>'], mergesInstructions: true },
  // Zephyr, Phi, GLM and OpenAssistant.
  {
    marks: /<\|(system|user|assistant|observation|tool|prompter)\|>/g,
    ends: ['<|end|>', '</s>', '<|endoftext|>'],
  },
  // Command R.
  { marks: /<\|START_OF_TURN_TOKEN\|><\|(SYSTEM|USER|CHATBOT)_TOKEN\|>/g, ends: ['<|END_OF_TURN_TOKEN|>'] },
  // Granite.
  { marks: /<\|start_of_role\|>(\w{1,20})<\|end_of_role\|>/g, ends: ['<|end_of_text|>'] },
  // Harmony, of gpt-oss.
  {
    marks: /<\|start\|>([\w.]{1,40})(?:<\|channel\|>\w{1,20})?(?:<\|message\|>|$)/g,
    ends: ['<|end|>', '<|return|>', '<|call|>'],
  },
  // DeepSeek.
  { marks: /<｜(System|User|Assistant)｜>/g, ends: ['<｜end▁of▁sentence｜>'] },
  { marks: HEADINGS, ends: [], isOfWords: true },
  { marks: RULES, ends: [], isOfWords: true },
  { marks: BRACKETS, ends: [], isOfWords: true },
  { marks: MEMBERS, ends: [], isOfWords: true },
  { marks: ELEMENTS, ends: ELEMENT_ENDS, isOfWords: true, needs: 'instructions' },
  { marks: WORDS, ends: [], isOfWords: true },
  { marks: CAPITALS, ends: ['</s>'], isOfWords: true, needs: 'open turn' },
  { marks: QUESTIONS, ends: [], isOfWords: true, needs: 'open turn' },
];

/** A character, or two of a rule, that each of these marks has: a text without any has no mark either. */
export const MARK_HINT = /[<[:#=]|[~*-]{2}/;

/** What a model is given before the first turn. */
export const BEGINNING = /^(?:<s>|<bos>|<\|begin_of_text\|>|<BOS_TOKEN>|<｜begin▁of▁sentence｜>|\[gMASK\]<sop>)/;

/** The token of a model that is known by its form alone, and messages of LangChain as they are printed. */
export const UNKNOWN_CHAT = /^(?:<[|｜][^|｜<>\s]{1,40}[|｜]>|content=['"])/;
