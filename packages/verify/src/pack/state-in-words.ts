import { member, readLeaf } from './members.ts';

/** Characters that turn the direction of the text after them, here of our own words. */
const TURNS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

const TEXT_STATES: ReadonlyMap<string, string> = new Map([
  ['stored', 'was stored'],
  ['discarded', 'was not stored; only its hash was'],
  ['not_submitted', 'was never sent to the service; only its hash was'],
]);

/**
 * What a bundle states, as sentences for a reader without the terms of the field. Nothing in them is proved by being
 * said: that is the part of the checks.
 */
export function stateInWords(bundle: unknown): readonly string[] {
  const { core, at } = readLeaf(member(bundle, 'record'));
  const [application, environment] = [textIn(core, 'application_key'), textIn(core, 'environment')];
  const events = member(bundle, 'events');
  const count = Array.isArray(events) ? events.length : 0;
  return [
    `This file states that the application "${application}" (${environment}) gave an answer, and that the log ` +
      `"${textIn(bundle, 'origin')}" recorded it at ${at} under the id ${textIn(core, 'id')}.`,
    `The text of the question ${stateOf(member(core, 'question'))}. The text of the answer ` +
      `${stateOf(member(core, 'answer'))}.`,
    ...(withholdsTexts(bundle)
      ? [
          'This file was made without the texts of question, answer and corrections, because the party that made it ' +
            'wanted it so. Their hashes are in it. Checks that compare a text with its hash are therefore not decided: ' +
            'they are SKIP, and not FAIL. A file with the texts decides them.',
        ]
      : []),
    count === 0
      ? 'Nothing in this file says that the record was corrected, voided or redacted.'
      : `After that, ${count === 1 ? 'one event' : `${count} events`} followed. The last of them left the record ` +
        `${textIn(bundle, 'status')}.`,
    'The log is a list to which entries are only added. The checkpoint below is a signed summary of the whole list. ' +
      'Anyone who holds another signed copy of it can tell whether this record was part of the same list.',
    'It is not stated here that the answer is right, that a person read it, or that nothing else was said.',
  ];
}

/** Whether a bundle is one without texts. */
function withholdsTexts(bundle: unknown): boolean {
  return member(bundle, 'format') === 'answer-evidence-bundle/v2';
}

function textIn(value: unknown, name: string): string {
  const found = member(value, name);
  return typeof found === 'string' ? found.replace(TURNS, '\u{FFFD}') : 'unknown';
}

function stateOf(commitment: unknown): string {
  return TEXT_STATES.get(textIn(commitment, 'text_state')) ?? 'is in a state that this page does not know';
}
