import type { Condition } from './condition.ts';

/**
 * How a value is read.
 * - `text`: a string, taken as it is; anything else refuses the item.
 * - `hash`: `sha256:` and 64 hex digits; anything else refuses the item.
 * - `messages`: messages with parts, structured or as a JSON string; a string that is no JSON refuses the item.
 * - `messages_or_text`: the same, or a plain text.
 * - `string`: a string that is not empty, taken as it is; anything else is passed over.
 * - `printed`: the same, but neither the text by which Python shows an object, such as `Event(result=…)`, nor JSON of
 *   an object or a list, which is a state whether or not its type says so.
 * - `state`: JSON with which a framework describes a call; the text at a place that `STATE_RULES` names, or none.
 * - `indexed`: messages flattened into one attribute for each member.
 * - `flow`: JSON of what the components of a flow gave back; what those that a person speaks to did.
 * - `keyed`: messages as JSON of an object each, whose only member is named after the author; a text; or a state.
 */
export type Form =
  | 'text'
  | 'hash'
  | 'messages'
  | 'messages_or_text'
  | 'string'
  | 'printed'
  | 'state'
  | 'indexed'
  | 'flow'
  | 'keyed';

/** Where a question or an answer may stand. */
export type ContentRule = {
  readonly to: 'question' | 'answer';
  /** Whose names they are. */
  readonly convention: string;
  /** The span event or log event whose attributes are meant; null for those of the span or log record itself. */
  readonly event: string | null;
  /** The attribute, or in an event also a member of the log record's body. `N` stands for the number of a message. */
  readonly key: string;
  readonly form: Form;
  /** The rule does not apply to an item of which one of these holds. */
  readonly unless: readonly Condition[];
  /** The rule does not apply to an item that has an attribute that begins with one of these. */
  readonly unlessPrefixes?: readonly string[];
  /** The rule does not apply to an item whose messages, flattened below one of these, end with a request of a tool. */
  readonly unlessAsking?: readonly string[];
  /** The rule applies only to an item that has an attribute that begins so. */
  readonly onlyPrefix?: string;
  /** It is a mark of the application's own: its text stands as it is. */
  readonly isMark?: boolean;
  /** What it reads may be completions, which say beside them why they ended and of which there may be several. */
  readonly isCompletion?: boolean;
  /** What it reads may be JSON of one message, which may name no author. */
  readonly mayBeObject?: boolean;
  /** The rule does not apply to an item that shows here which tools a model asked for. */
  readonly unlessCalls?: string;
  /** Members of a flattened message, below `prefix` and its number. Its text is `content`, or what is named so. */
  readonly indexed?: { readonly prefix: string; readonly member: string; readonly content?: string };
};

type Rest = Partial<Omit<ContentRule, 'to' | 'convention' | 'key' | 'form'>>;

/** A rule that reads an attribute of the item itself, unless the rest says otherwise. */
export function rule(to: ContentRule['to'], convention: string, key: string, form: Form, rest: Rest = {}): ContentRule {
  return { to, convention, key, form, event: null, unless: [], ...rest };
}
