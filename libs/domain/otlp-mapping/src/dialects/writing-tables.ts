import { all, each } from './derive.ts';
import type { Writing } from './writing.ts';

/** What all dialects say of how they write something, in their order. */
function written<T>(of: (writes: Writing) => readonly T[] | undefined): readonly T[] {
  return all(({ writes = {} }) => of(writes));
}

function eachWritten<T>(of: (writes: Writing) => T | undefined): readonly T[] {
  return each(({ writes = {} }) => of(writes));
}

/** What the authors of messages are called, in lower case, and who they are. */
export const ROLES: ReadonlyMap<string, string> = new Map([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['model', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
  ['tool', 'tool'],
  ...written(({ roles }) => Object.entries(roles ?? {})),
]);

/** Members that a message stands in: of frameworks, of events and choices, and of what a model wrote. */
export const MESSAGE_WRAPPERS: readonly string[] = [
  ...written(({ messageWrappers }) => messageWrappers),
  'message',
  'content',
];

/** Members that hold the text or the parts of a message. */
export const CONTENTS: readonly string[] = ['parts', 'content', ...written(({ contents }) => contents)];

/** Members in which the call of a tool stands within a part of a message. */
export const CALL_WRAPPERS: readonly string[] = [
  ...['tool_call', 'function', 'toolUse', 'functionCall', 'function_call'],
  ...written(({ calls }) => calls?.in),
];

/** Members that name the tool of a call. */
export const CALL_NAMES: readonly string[] = [
  ...['name', 'toolName', 'tool_name'],
  ...written(({ calls }) => calls?.names),
];

/** Members that have the arguments of a call. */
export const CALL_ARGUMENTS: readonly string[] = ['arguments', 'args', 'input', ...written(({ calls }) => calls?.args)];

/** The only members of objects that wrap a value. */
export const BOXES = eachWritten(({ box }) => box);

/** The members of objects that say of which type a value is. */
export const TYPED_BOXES = eachWritten(({ typedBox }) => typedBox);

/** Members that only documents have. */
export const DOCUMENT_MEMBERS = written(({ documentMembers }) => documentMembers);

/** Members of a state that have what was asked in parts. */
export const PROMPTS_OF_PARTS = eachWritten(({ promptOfParts }) => promptOfParts);

/** States with a template beside what is filled into it. */
export const FILLED = eachWritten(({ filled }) => filled);

/** Messages of which each part is of somebody. */
export const TURNS = eachWritten(({ turns }) => turns);

/** Messages that name who they are from and of what type they are. */
export const SOURCES = eachWritten(({ sources }) => sources);

/** Messages as Python shows them. */
export const PRINTED = eachWritten(({ printed }) => printed);

/** What the metadata of parts say that are documents. */
export const CONTEXT_PARTS = eachWritten(({ contextPart }) => contextPart);

/** The only members of parts that have the object that a model answered with. */
export const DATA_PARTS = eachWritten(({ dataPart }) => dataPart);

/** In messages that are named after their author: members of one call, and what several calls are named. */
export const KEYED = eachWritten(({ keyed }) => keyed);

/** Members of commands by which runs go on after a person decided. */
export const RESUMPTIONS = eachWritten(({ resumption }) => resumption);

/** How messages begin by which agents say what objects they return. */
export const RETURNING = eachWritten(({ returning }) => returning);

/** How the names of components end by which a person speaks to a flow, and is answered. */
export const COMPONENTS = eachWritten(({ components }) => components);
