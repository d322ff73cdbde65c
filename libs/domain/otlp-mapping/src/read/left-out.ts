import { LEFT_OUT } from '../dialects/wording-tables.ts';

/** A word in brackets or the like that stands where a text was left out, in the words of any instrumentation. */
const MARK = /^(?:__|[<[({])(?:redacted|elided|hidden|omitted|masked|filtered|removed)(?:__|[>\])}])$/i;

/** Whether a text stands where one was left out, to keep it secret, or where none ever was. */
export function isLeftOut(text: string): boolean {
  return MARK.test(text) || LEFT_OUT.some((pattern) => pattern.test(text));
}
