import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { deviceLoginRequest } from './device-logins.ts';
import { createEventRequest } from './events.ts';
import { evidenceName, retrieveEvidenceRequest } from './evidence.ts';
import { decimal } from './pages.ts';
import { externalId, isVisible, key } from './primitives.ts';

/** What the patterns say, in the words of Unicode, which only some engines know. */
const CONTROL_FREE = /^\P{Cc}*$/u;
const SAFE_NAME = /^[^\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069/\\]+$/u;

const CASES = [
  ['a key', key, CONTROL_FREE],
  ['an external id', externalId, CONTROL_FREE],
  ['a name of evidence', evidenceName, SAFE_NAME],
] as const;

describe('published patterns', () => {
  it.each(CASES)('of %s take every code point that they are meant to take, and no other', (_, schema, meant) => {
    const { pattern } = z.toJSONSchema(schema);
    const published = new RegExp(pattern ?? '');
    const differing: string[] = [];
    for (let point = 0; point <= 0x10_ffff; point++) {
      const text = `a${String.fromCodePoint(point)}b`;
      if (published.test(text) !== meant.test(text)) differing.push(point.toString(16));
    }
    expect(differing).toEqual([]);
  });

  it('say of a number in a query that it is one, within the limits that are checked', () => {
    const size = decimal(1, 200);
    expect(z.toJSONSchema(size, { io: 'input', unrepresentable: 'any' })).toMatchObject({
      type: 'integer',
      minimum: 1,
      maximum: 200,
    });
    expect(['1', '200'].map((text) => size.parse(text))).toEqual([1, 200]);
    for (const text of ['0', '201', '01', '1.0', '1e2', '+1', ' 1', '', 'one', '9999999999'])
      expect(size.safeParse(text).success).toBe(false);
  });
});

describe('a text', () => {
  // Each alone and all together: blanks, marks, joiners, selectors, tags, fillers, and what is drawn as nothing.
  const NOTHING =
    ' \t\n\u00a0\u00ad\u034f\u115f\u1160\u180e\u2003\u200b\u200d\u202e\u2028\u2060\u2800\u3000\u3164\ufe0f\ufeff\uffa0\u{e0001}';
  const SAID = ['a', '0', '.', '?', '語', 'ا', '😀', '👨‍👩‍👧', '\u202ea', 'e\u0301', '\u200b-'];

  it('shows something, or is as good as empty', () => {
    for (const text of [...NOTHING, NOTHING, '', '\u0301', '\u{1d159}'])
      expect([text, isVisible(text)]).toEqual([text, false]);
    for (const text of SAID) expect([text, isVisible(text)]).toEqual([text, true]);
  });

  it('must show something where it is a reason, a purpose or a name for people', () => {
    const forms = [
      (reason: string) => createEventRequest.safeParse({ event_type: 'voided', reason }),
      (purpose: string) => retrieveEvidenceRequest.safeParse({ purpose }),
      (name: string) => evidenceName.safeParse(name),
      (name: string) => deviceLoginRequest.safeParse({ client_name: name }),
    ];
    for (const form of forms) {
      expect(form('\u200b\u00a0\u2060\u3164').success).toBe(false);
      expect(form('an audit').success).toBe(true);
    }
    expect(createEventRequest.safeParse({ event_type: 'voided', reason: '' }).success).toBe(true);
  });
});
