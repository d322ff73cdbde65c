import { describe, expect, it } from '@jest/globals';
import { deviceLoginRequest } from './device-logins.ts';
import { evidenceName } from './evidence.ts';
import { loginRequest, patchMemberRequest } from './members.ts';
import { hidesCharacters } from './primitives.ts';
import { createTokenRequest } from './tokens.ts';

const LOGIN = { username: 'anna', password: 'a password' };

/** Every name that one person gives and another reads, as a request that has it. */
const NAMES: Readonly<Record<string, (name: string) => { readonly success: boolean }>> = {
  'a device': (name) => deviceLoginRequest.safeParse({ client_name: name }),
  'a token of a device': (name) => deviceLoginRequest.safeParse({ client_name: 'a', token_name: name }),
  'a token of a login': (name) => loginRequest.safeParse({ ...LOGIN, token_name: name }),
  'a token': (name) => createTokenRequest.safeParse({ name, kind: 'user' }),
  'an application': (name) =>
    createTokenRequest.safeParse({
      ...{ name: 'a', kind: 'application', scopes: ['answer_audit:read'] },
      application_key: name,
    }),
  'a person at a provider': (name) => patchMemberRequest.safeParse({ provider: { subject: name } }),
  'an asset of evidence': (name) => evidenceName.safeParse(name),
};

const INVISIBLE = [
  '\u200b',
  '\u2060',
  '\ufeff',
  '\u00ad',
  '\u034f',
  '\u3164',
  '\u2800',
  '\u180e',
  '\u{e0041}',
  '\u206a',
];
const TURNING = ['\u202e', '\u2066', '\u200f', '\u061c'];
const BREAKING = ['\u0000', '\n', '\u007f', '\u0085', '\u2028', '\u2029'];

describe.each(Object.entries(NAMES))('the name of %s', (_, read) => {
  it('is what it looks like: nothing in it is invisible, turns or breaks what stands around it', () => {
    const taken = [...INVISIBLE, ...TURNING, ...BREAKING].filter((character) => read(`anna${character}s`).success);
    expect(taken).toEqual([]);
    for (const joining of ['\u200c', '\u200d', '\ufe0f', '\u{e0100}'])
      for (const name of [`a${joining}b`, `${joining}a`, `1${joining}`, `❤${joining}${joining}a`])
        expect([name, read(name).success]).toEqual([name, false]);
    for (const blank of ['', ' ', '\u00a0', '\u200b']) expect([blank, read(blank).success]).toEqual([blank, false]);
  });

  it('may be in any script, and an emoji', () => {
    for (const name of ["Anna's laptop (2)", 'Zoë', 'کتاب‌خانه', 'क्‍ष', '葛\u{e0100}飾', '❤️‍🔥', '👩🏽‍💻', 'Łódź'])
      expect([name, read(name).success]).toEqual([name, true]);
  });
});

it('every character that Unicode says to draw as nothing is hidden, unless it joins others', () => {
  const shown: string[] = [];
  for (let point = 0; point <= 0x10_ffff; point++) {
    const character = String.fromCodePoint(point);
    const isDrawnAsNothing = /\p{Default_Ignorable_Code_Point}|\p{Cf}/u.test(character);
    if (isDrawnAsNothing && !hidesCharacters(`a${character}b`)) shown.push(point.toString(16));
  }
  expect(shown).toEqual([]);
});
