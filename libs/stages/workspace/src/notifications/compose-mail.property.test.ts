import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hidesCharacters, NOTIFICATION_TYPES, type NotificationBody } from '@answer-evidence/contracts';
import { type Addressee, composeCode, composeMail } from './compose-mail.ts';

const ID = '0199f3c2-6000-7000-8000-000000000002';
const CONSOLE = 'https://evidence.example.com/console/demo';

/** What somebody may put into a name to make a mail say something else. */
const HOSTILE = [
  '\r\nBcc: other@example.com\r\n\r\n<html>',
  '\n\nYour password has expired',
  '\u202egnp.exe',
  'a\u2066b\u200bc\u2028d\u0085e\u0000f\u001b[31m',
  '<img src=x onerror=alert(1)>',
  '</p></body><a href="https://evil.example/">here</a>',
  `"'&lt;&#x202e;`,
  '=?utf-8?Q?=0D=0ABcc:_other@example.com?=',
  '\ud800',
  'x'.repeat(10_000),
  '\u202e'.repeat(10_000),
];
const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(fc.constantFrom(...HOSTILE, '\r', '\n', '<', '"', '&', 'ab'), { maxLength: 6 })
    .map((parts) => parts.join('')),
);
const addressee = fc.record({
  to: fc.constant('anna@example.com'),
  language: fc.constantFrom('en', 'de'),
  workspace: hostile,
  consoleUrl: fc.constant(CONSOLE),
  targetId: fc.constant(ID),
  isOwn: fc.boolean(),
});
const about = fc.record({
  application_key: hostile,
  name: hostile,
  username: hostile,
  role: hostile,
  format: hostile,
  matter: hostile,
  count: fc.nat(),
  answer_log_id: fc.constant(ID),
});
const body = fc
  .tuple(fc.constantFrom(...NOTIFICATION_TYPES), about, hostile)
  .map(([type, facts, sentence]): NotificationBody => ({
    type,
    timestamp: '2026-11-28T21:00:00.000000Z',
    data: {
      ...{ workspace_id: ID, workspace: 'demo', subject: sentence, sentence, place: `/records/${ID}` },
      ...{ entry_id: null, actor: null, about: facts },
    },
  }));

const unharmed = { application_key: 'bot', name: 'a', username: 'a', role: 'a', format: 'a', matter: 'a' };

/** The same mail with names that are harmless. */
function harmless(bodies: readonly NotificationBody[], to: Addressee) {
  const named = bodies.map((one) => ({ ...one, data: { ...one.data, about: { ...one.data.about, ...unharmed } } }));
  return composeMail(ID, named, { ...to, workspace: 'demo' });
}

const tagsOf = (html: string) => html.match(/<[^>]*>/g);
const linesOf = (text: string) => text.split('\n').length;
const isOneLine = (text: string) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text) && !hidesCharacters(text);

describe('whatever names are', () => {
  it('a mail has the lines, tags and links that it has with other names, and nothing that nobody sees', () => {
    fc.assert(
      fc.property(fc.array(body, { minLength: 1, maxLength: 4 }), addressee, (bodies, to) => {
        const mail = composeMail(ID, bodies, to);
        const other = harmless(bodies, to);
        expect([linesOf(mail.text), tagsOf(mail.html)]).toEqual([linesOf(other.text), tagsOf(other.html)]);
        for (const line of [mail.subject, ...mail.text.split('\n'), ...mail.html.split('\n')])
          expect([line, isOneLine(line)]).toEqual([line, true]);
        expect([mail.id, mail.to, mail.unsubscribeUrl]).toEqual([ID, to.to, other.unsubscribeUrl]);
      }),
    );
  });

  it('a mail with a code has one line for it, and its subject is one', () => {
    fc.assert(
      fc.property(addressee, (to) => {
        const mail = composeCode(ID, 'a'.repeat(24), to);
        expect([isOneLine(mail.subject), mail.text.split('\n').includes('a'.repeat(24))]).toEqual([true, true]);
      }),
    );
  });

  it('they are cut in a mail, so that 50 of them are read at once', () => {
    const long = { ...unharmed, name: 'n'.repeat(10_000), username: '\u202e'.repeat(10_000) };
    const one = fc.sample(body, 1)[0];
    if (one === undefined) throw new Error('nothing was drawn');
    const bodies = Array.from({ length: 51 }, () => ({ ...one, data: { ...one.data, about: long } }));
    const to = { to: 'a@example.com', language: 'en', workspace: 'w'.repeat(10_000), consoleUrl: CONSOLE } as const;
    const { subject, text } = composeMail(ID, bodies, { ...to, targetId: ID, isOwn: false });
    expect(subject.length).toBeLessThan(300);
    expect(text.length).toBeLessThan(51 * 3_000);
    expect(text).toContain(`name: ${'n'.repeat(199)}…`);
    expect(text).toContain('\n+ 1 more, ');
  });
});

it.each([
  ['support-bot', 'support-bot'],
  ['کتاب‌خانه 👩🏽‍💻', 'کتاب‌خانه 👩🏽‍💻'],
  ['a\u202eb', 'a\\u{202e}b'],
  ['a\r\nb', 'a\\u{d}\\u{a}b'],
  ['a\u200bb', 'a\\u{200b}b'],
])('%j is shown as %j', (name, shown) => {
  const data = { workspace_id: ID, workspace: 'demo', subject: 'a', sentence: 'a', place: '/trust' };
  const said: NotificationBody = {
    ...{ type: 'target.changed', timestamp: '2026-11-28T21:00:00.000000Z' },
    data: { ...data, entry_id: null, actor: null, about: { name } },
  };
  const to = { to: 'a@example.com', language: 'en', workspace: 'demo', consoleUrl: CONSOLE } as const;
  expect(composeMail(ID, [said], { ...to, targetId: ID, isOwn: false }).text).toContain(`\nname: ${shown}\n`);
});
