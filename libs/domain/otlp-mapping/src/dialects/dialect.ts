import type { Condition } from './condition.ts';
import type { ContentRule } from './content-rule.ts';
import type { DocumentRule } from './document-rule.ts';
import type { Wording } from './wording.ts';
import type { Writing } from './writing.ts';

/** Spans that are one run of a tool. Where none of the attributes names the tool, the span has its name. */
export type ToolRule = {
  readonly convention: string;
  readonly when: Condition;
  readonly name: readonly string[];
  readonly args: readonly string[];
  /** What other dialects say of the same run comes first. */
  readonly isLast?: true;
};

/** How the messages of an answer are to be put together: `pieces` of one, or `turns` in one. */
type Gathering = 'pieces' | 'turns';

/** What is special in what an instrumentation writes. */
export type Quirks = {
  /** Its messages show neither that a model asked for a tool nor whose the result is: it is a user's there. */
  readonly areCallsHidden?: boolean;
  /** Calls of tools are parts of its messages: a reason that names one means a tool that the server ran. */
  readonly showsCalls?: boolean;
  /** Its completions may begin with their prompt, which stands here. */
  readonly repeatsPrompt?: string;
  /** Its answers are pieces of one, or turns in one. */
  readonly gathering?: Gathering;
  /** A text of its messages may be JSON of what was said. */
  readonly nestsMessages?: boolean;
  /** A run whose answer is an object ends with the call of a tool that is named after the object's class. */
  readonly endsWithObject?: boolean;
  /** It joins the texts of all messages to one prompt here: instructions, history and results of tools. */
  readonly joinsPrompt?: string;
  /** An outer run of it may hold several turns of a conversation; `branches`: agents side by side. */
  readonly holdsTurns?: 'turns' | 'branches';
  /** Agents that are part of another one, and so its tools or checks, stand `within` it, or `beside` it. */
  readonly nestedAgents?: { readonly stand: 'within' | 'beside'; readonly when: Condition };
  /** Its runs have their turns in log records, which may come after them in another request. */
  readonly hasTurnsInLogs?: boolean;
  /** The members of its states are fields with names, and what a model thought is one of them. */
  readonly namesFields?: boolean;
};

/** A log event that is one message of a conversation. */
export type MessageEvent = {
  readonly event: string;
  /** `turn`: of several the last one counts. */
  readonly kind: 'choice' | 'turn' | 'other';
  /** What is read beside its text: who wrote it, or the tools that a model asked for. */
  readonly author?: string;
  readonly calls?: string;
};

/** Members of the semantic ref that says what model answered, and the attributes they come from. */
export type ModelMember = 'operation' | 'provider' | 'request_model' | 'response_model' | 'finish_reasons';

/**
 * A convention, or a framework with names of its own: everything that is known of what it writes. All of it is data;
 * what reads it knows no dialect by name.
 */
export type Dialect = Wording & {
  readonly name: string;
  /** Where its names are documented, or its prompts. */
  readonly source: string;
  /** Where texts stand, in the order in which they are tried. */
  readonly contents?: readonly ContentRule[];
  /** What judges a question or an answer. What runs below one that is part of an agent or a chain answers nobody. */
  readonly checks?: readonly Condition[];
  /** What runs below these, such as an agent that is a tool of another, answers nobody if there is another answer. */
  readonly asides?: readonly Condition[];
  /** One run of an agent, which gives one answer, also where its span shows none. */
  readonly runs?: readonly Condition[];
  /** The run of a workflow that a span's instrumentation and name alone tell. */
  readonly namedRun?: { readonly scope: string; readonly name: string };
  /** One call of a model; the last one below an agent answers where the agent's state names no answer. */
  readonly modelCalls?: readonly Condition[];
  /** What else calls models, and so has contents if they are sent. */
  readonly callers?: readonly Condition[];
  /** Spans that say by an attribute, and not by their status, that they ended with an error. */
  readonly failures?: readonly Condition[];
  /** What says that a run stopped to ask a person: an attribute of it, or the words of the error that it ends with. */
  readonly pauses?: { readonly when?: Condition; readonly words?: RegExp };
  /** Attributes that have the words of the error that a span ended with. */
  readonly errorWords?: readonly string[];
  readonly tools?: readonly ToolRule[];
  readonly documents?: readonly DocumentRule[];
  /** An item with one of these attributes searched in a store of vectors. */
  readonly vectorSearches?: readonly string[];
  /** Ids of people and sessions. `isLast`: those of other dialects come first. */
  readonly ids?: { readonly actor?: readonly string[]; readonly session?: readonly string[]; readonly isLast?: true };
  readonly model?: Partial<Readonly<Record<ModelMember, readonly string[]>>>;
  /** How its attributes begin: an item with one of them is of a model. */
  readonly prefixes?: readonly string[];
  /** How attributes begin that only a call or a run has, whatever its kind is. */
  readonly callPrefixes?: readonly string[];
  /** Its model gives back a text as a list of its pieces. */
  readonly pieces?: Condition;
  /** How it writes messages and states. */
  readonly writes?: Writing;
  readonly messageEvents?: readonly MessageEvent[];
  /** The event that describes a call as a whole, or one half of it. */
  readonly callEvent?: string;
  /** Attributes with the messages that a call was given, and with those that it gave back. */
  readonly conversation?: { readonly given: string; readonly said: string };
  /** Attributes with what a model is instructed by. */
  readonly instructionKeys?: readonly string[];
  /** How attributes begin that have the variables which a prompt was filled with. */
  readonly promptVariables?: string;
  /** What may show its state, in JSON, as the text of a message. */
  readonly assembling?: readonly Condition[];
  /** A search: it shows at `found` what it found, if anywhere, and at `query` what was searched for. */
  readonly searches?: { readonly when: Condition; readonly found: string; readonly query: string };
  /** What else has what was searched for. */
  readonly searched?: readonly string[];
  /** The metadata by which it marks the calls that it makes for itself, which answer nobody. */
  readonly ownCalls?: string;
  /** How attributes begin that have metadata of others; the attribute that has all of it in JSON. */
  readonly metadataPrefix?: string;
  readonly metadataKey?: string;
  /**
   * What another trace shows as a whole: it has the attribute of `both`, and not that of the `whole`; or it is of this
   * application and of instrumentations that are named so.
   */
  readonly shownElsewhere?: {
    readonly both: string;
    readonly whole: string;
    readonly application: string;
    readonly scopes: string;
  };
  /** Its log records have no trace: those of this scope with one session and one request are of one. */
  readonly threads?: { readonly scope: string; readonly session: string; readonly request: string };
  /** A step that says something in the place of a model, and ends the run by what a member of its state says. */
  readonly endings?: {
    readonly when: Condition;
    readonly given: string;
    readonly said: string;
    readonly member: string;
    readonly value: string;
  };
  /** Spans to which it gives an error without a reason of their own: of these scopes, or with this attribute. */
  readonly staleErrors?: {
    readonly with: string;
    readonly scopes: readonly string[];
    readonly key: string;
    readonly reasons: string;
    readonly reason: string;
  };
  /** Names of spans that are runs of tools; the group is the tool. */
  readonly toolSpans?: readonly RegExp[];
  /** The tool by whose name it shows the results of several runs once more. */
  readonly mergedTools?: string;
  /** What shows that a call has several prompts: a second completion, and one of these, without these. */
  readonly severalPrompts?: {
    readonly completion: string;
    readonly prompts: readonly string[];
    readonly roles: readonly string[];
  };
  /** Flattened attributes that are read. */
  readonly listed?: readonly RegExp[];
  /** Words in its names that say that something is of models, in whatever convention. */
  readonly modelWords?: readonly RegExp[];
  readonly quirks?: readonly (Quirks & {
    /** Names of instrumentations; one that ends with `*` is how they begin. */
    readonly scopes: readonly string[];
  })[];
};
