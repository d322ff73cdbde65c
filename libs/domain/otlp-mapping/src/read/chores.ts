/** How much of an instruction tells what a model is for, and how much of a prompt. */
const LENGTH_MAX = 600;

/** What a model is called that works for the application, and not for a person. */
const NAMES = [
  'title generator',
  'title writer',
  'title creator',
  'generating titles',
  'generates titles',
  'thread title',
  'summary generator',
  'conversation summarizer',
  'conversation summariser',
  'chat summarizer',
  'progressively summarize the lines of conversation',
  'distill the above chat messages',
  'summary of the conversation',
  'summary of our conversation',
  'summary of this conversation',
  'summarize this conversation',
  'summarise this conversation',
  'summarize the conversation',
  'summarize this coding conversation',
  'prompt for continuing our conversation',
];

/** What such a model makes, and of what. */
const MADE = ['title', 'titles', 'tags', 'headline', 'subject line', 'follow-up questions', 'search queries'];
const OF = [
  ...['conversation', 'conversations', 'chat', 'chats', 'thread', 'session', 'dialogue', 'discussion', 'topic'],
  ...['message', 'messages', 'chat history'],
];
/** What joins the two, such as in "a title for this conversation". */
const JOINED = [' for ', ' of ', ' that ', ' summariz', ' summaris', ' describ', ' based on ', ' captur', ' categoriz'];
const APART_MAX = 80;

/** By what a prompt shows the conversation that it is about. */
const SHOWN = ['<chat_history>', '<conversation>', '<messages>', '\nuser:', '\nhuman:', '\nuser\n', '\nassistant:'];

/** Whether an instruction makes a model write a title, tags or a summary of a conversation for the application. */
export function isChore(instruction: string): boolean {
  const [first = '', second = ''] = textOf(instruction)
    .split(/[.\n]/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '' && !/^#|:$/.test(sentence));
  return [first, second].some((sentence) => NAMES.some((name) => sentence.includes(name)) || isMaking(sentence));
}

/** Whether a message of a user is such an instruction, with the conversation in it that it is about. */
export function isChorePrompt(text: string): boolean {
  return isChore(text) && SHOWN.some((mark) => text.toLowerCase().includes(mark));
}

function textOf(text: string): string {
  return text.slice(0, LENGTH_MAX).toLowerCase();
}

function isMaking(sentence: string): boolean {
  const words = ` ${sentence} `;
  return MADE.some((made) => {
    const at = findWord(words, made, 0);
    if (at < 0) return false;
    const rest = words.slice(at + made.length, at + made.length + APART_MAX);
    return OF.some((of) => {
      const end = findWord(rest, of, 0);
      return end >= 0 && JOINED.some((joined) => rest.slice(0, end + 1).includes(joined));
    });
  });
}

/** Where a word stands as a whole; -1 where it does not. */
function findWord(text: string, word: string, from: number): number {
  const at = text.indexOf(word, from);
  if (at < 0) return -1;
  const isWhole = !/\w/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + word.length));
  return isWhole ? at : findWord(text, word, at + 1);
}
