import type { Template } from './template.ts';

/** Fields that a prompt names and a model fills in, each below a mark with its name. */
export type Fields = {
  readonly begin: string;
  readonly mark: RegExp;
  /** What is added to the last field of a prompt, in any form of the answer and where the answer is to be JSON. */
  readonly instruction: RegExp;
  readonly jsonInstruction: RegExp;
  /** Fields that are no answer to anybody. */
  readonly thoughts: readonly string[];
};

/** How a framework words what it tells a model, and what it makes a model write. */
export type Wording = {
  /** Prompts into which it fills what somebody asked, and what it puts before that and behind it. */
  readonly templates?: readonly Template[];
  readonly prepended?: RegExp;
  readonly appended?: readonly string[];
  /** What it says in the name of the user. */
  readonly feedback?: readonly RegExp[];
  /** What stands in the instructions by which a model works for the framework, and not for a person. */
  readonly instructions?: readonly string[];
  /** What it says in the place of a model while tools wait for somebody: how that begins, and the rest. */
  readonly waiting?: { readonly begin: RegExp; readonly rest: RegExp };
  /** Lists of the object that a run ends with while tools wait, and a member of each call that waits. */
  readonly deferred?: { readonly lists: readonly string[]; readonly member: string };
  /** What marks the final answer in a text in which a model thinks aloud; some of it only behind a thought. */
  readonly finalMarks?: readonly string[];
  readonly finalMarksBehindThought?: readonly string[];
  /** Members of the blob by which a model names an action, and the action that is the answer. */
  readonly action?: { readonly name: string; readonly input: string; readonly final: string };
  /** Where code begins that a model writes, and the call by which it answers. */
  readonly code?: { readonly begin: string; readonly call: string };
  readonly fields?: Fields;
  /** What stands where a text was left out, or where none ever was. */
  readonly leftOut?: readonly RegExp[];
};
