import { all, each } from './derive.ts';
import type { Template } from './template.ts';

/** Prompts into which frameworks fill a question. */
export const TEMPLATES: readonly Template[] = all(({ templates }) => templates);

/** What frameworks put before a question. */
export const PREPENDED = each(({ prepended }) => prepended);

/** What frameworks append to a question. */
export const APPENDED: readonly string[] = all(({ appended }) => appended);

/** What frameworks say in the name of the user. */
export const FEEDBACK: readonly RegExp[] = all(({ feedback }) => feedback);

/** What stands in the instructions by which a model works for a framework, and not for a person. */
export const STEP_INSTRUCTIONS: readonly string[] = all(({ instructions }) => instructions);

/** What frameworks say in the place of a model while tools wait for somebody. */
export const WAITING = each(({ waiting }) => waiting);

/** The objects that runs end with while tools wait. */
export const DEFERRED = each(({ deferred }) => deferred);

/** What marks the final answer in a text in which a model thinks aloud. */
export const FINAL_MARKS: readonly string[] = all(({ finalMarks }) => finalMarks);

/** The same, which counts only behind a thought: the words are of anybody. */
export const FINAL_MARKS_BEHIND_THOUGHT: readonly string[] = all(
  ({ finalMarksBehindThought }) => finalMarksBehindThought,
);

/** Members of the blobs by which models name an action. */
export const ACTIONS = each(({ action }) => action);

/** Where code begins that a model writes, and the call by which it answers. */
export const CODES = each(({ code }) => code);

/** Fields that a prompt names and a model fills in. */
export const FIELDS = each(({ fields }) => fields);

/** What stands where a text was left out, or where none ever was. */
export const LEFT_OUT: readonly RegExp[] = all(({ leftOut }) => leftOut);
