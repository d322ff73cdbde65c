import type { ContentRule } from '../dialects/content-rule.ts';
import { STATE_RULES } from '../dialects/mapping-table.ts';
import type { Template } from '../dialects/template.ts';
import type { Fields } from '../dialects/wording.ts';
import { APPENDED, FIELDS, PREPENDED, STEP_INSTRUCTIONS, TEMPLATES } from '../dialects/wording-tables.ts';
import type { AttributeValue } from '../item/otlp-item.ts';
import { readObject } from '../item/written-object.ts';
import { findFinal } from './final-answers.ts';

/** The text of somebody in a message: of a template of a framework, what stands at the place for it, if anything. */
export function readFilled(text: string, to: ContentRule['to']): string | undefined {
  const fields = fieldsOf(text);
  if (fields !== undefined) return findField(text, to, fields);
  return to === 'question' ? withoutAppended(findFilledIn(withoutContext(text))) : findFinal(text);
}

/** Whether a message tells a model to rewrite a question, by a template of a framework. */
export function isRewriting(text: string): boolean {
  return findTemplate(text.trimStart())?.isRewriting === true;
}

/** Whether an instruction makes a model work for a framework, and not for a person. */
export function isInstructedStep(instructions: AttributeValue | undefined): boolean {
  return typeof instructions === 'string' && STEP_INSTRUCTIONS.some((text) => instructions.includes(text));
}

/** What names the fields of a text, if it is of such. */
function fieldsOf(text: string): Fields | undefined {
  return FIELDS.find(({ begin }) => text.startsWith(begin));
}

/** A question without what a framework puts before it. */
function withoutContext(text: string): string {
  return PREPENDED.reduce((left, pattern) => left.replace(pattern, ''), text);
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

function findField(text: string, to: ContentRule['to'], { mark, instruction, thoughts }: Fields): string | undefined {
  const [, ...parts] = text.split(mark);
  const fields = new Map<string, string>();
  for (let n = 0; n + 1 < parts.length; n += 2) {
    const [name, value] = [parts[n] ?? '', parts[n + 1] ?? ''];
    const [own = ''] = to === 'question' ? value.split(instruction, 1) : [value];
    if (own.trim() !== '' && !thoughts.includes(name)) fields.set(name, own.trim());
  }
  return selectField(fields, to);
}

function selectField(fields: ReadonlyMap<string, string>, to: ContentRule['to']): string | undefined {
  const named = STATE_RULES[to].find((name) => fields.has(name));
  const [only, ...more] = [...fields.values()];
  return named === undefined ? (more.length === 0 ? only : undefined) : fields.get(named);
}

/** Whether a prompt asks a model for its fields as JSON. */
export function asksForJson(text: string): boolean {
  return fieldsOf(text)?.jsonInstruction.test(text) === true;
}

/** The answer among such fields; undefined where none of them is known to be one. */
export function readJsonFields(text: string): string | undefined {
  const members = Object.entries(readObject(text) ?? {}).filter(([name]) => {
    return !FIELDS.some(({ thoughts }) => thoughts.includes(name));
  });
  const texts = members.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  return selectField(new Map(texts), 'answer');
}
