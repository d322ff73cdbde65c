/** How a framework writes messages and states, beside the forms that many share. */
export type Writing = {
  /** What it calls the authors of messages, in lower case, and who they are. */
  readonly roles?: Readonly<Record<string, 'user' | 'assistant' | 'system' | 'tool'>>;
  /** Members that a message stands in. */
  readonly messageWrappers?: readonly string[];
  /** Members that hold the text or the parts of a message. */
  readonly contents?: readonly string[];
  /** Members that the call of a tool stands in, that name the tool, and that have its arguments. */
  readonly calls?: {
    readonly in?: readonly string[];
    readonly names?: readonly string[];
    readonly args?: readonly string[];
  };
  /** The only member of an object that wraps a value. */
  readonly box?: string;
  /** The two members of an object that says of which type a value is. */
  readonly typedBox?: { readonly type: string; readonly value: string };
  /** Members that only documents have, whose text nobody said. */
  readonly documentMembers?: readonly string[];
  /** The member of a state that has what was asked as a list of texts, and of objects that stand for images. */
  readonly promptOfParts?: string;
  /** A state with a template, and beside it what is filled in for its variables. */
  readonly filled?: { readonly template: string; readonly values: string; readonly variable: RegExp };
  /** Messages with parts of which each is of somebody, by its kind. */
  readonly turns?: {
    readonly parts: string;
    readonly kind: string;
    /** Kinds of parts that are texts, and whose they are. */
    readonly texts: Readonly<Record<string, 'user' | 'assistant'>>;
    readonly call: string;
    /** What says that a message is a model's. */
    readonly ofModel: { readonly key: string; readonly value: string };
  };
  /** Messages that name who they are from and of what type they are: one type is said, by the person or a model. */
  readonly sources?: { readonly types: RegExp; readonly said: string; readonly person: string };
  /** A message as Python shows it: how it begins, with its author, and each part, with its text if it has one. */
  readonly printed?: { readonly begin: RegExp; readonly part: RegExp; readonly call: string };
  /** What the metadata of a part says that is a document. */
  readonly contextPart?: { readonly key: string; readonly value: string };
  /** The only member of a part that has the object that a model answered with. */
  readonly dataPart?: string;
  /** In messages that are named after their author: a member of one call, and what several calls are named. */
  readonly keyed?: { readonly call: string; readonly calls: string };
  /** Members of the command by which a run goes on after a person decided; `sign` is one that few others have. */
  readonly resumption?: { readonly sign: string; readonly members: readonly string[] };
  /** How the message begins by which an agent says what object it returns. */
  readonly returning?: string;
  /** How the names of the components end by which a person speaks to a flow, and is answered. */
  readonly components?: { readonly question: RegExp; readonly answer: RegExp };
};
