import * as z from 'zod';
import { atMost } from './text-length.ts';

/** Longest application key, environment or idempotency key, in UTF-16 code units. */
export const KEY_LENGTH_MAX = 200;
/** Longest external id, actor hash or session hash, in UTF-16 code units. */
export const EXTERNAL_ID_LENGTH_MAX = 256;
/** Longest id of a person or a session that is hashed, in UTF-16 code units. */
export const NAMED_ID_LENGTH_MAX = 1024;
/** Most days that anything may be retained ahead. */
export const RETENTION_DAYS_MAX = 3650;

/** The environment of a record or a run that names none. */
export const ENVIRONMENT_DEFAULT = 'production';

/** Marks values in the API description that may grow without notice; readers must expect ones they do not know. */
export const OPEN_VALUES = { 'x-open-values': true } as const;

/**
 * What stands in a class of a pattern for every control character (Unicode category Cc). Patterns are published in the
 * API description, so they are written as every engine reads them: `\p{…}`, for one, is unknown to Python.
 */
export const CONTROL_RANGES = String.raw`\u0000-\u001f\u007f-\u009f`;
/** The same for the characters that change the direction of what stands around them. */
export const DIRECTION_RANGES = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
const CONTROL_FREE = new RegExp(`^[^${CONTROL_RANGES}]*$`);

/** An id made by the service: a UUID in lower-case canonical form (UUIDv7 when we made it). */
export const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'must be a UUID in lower case')
  .meta({ format: 'uuid' });

const UUID_EXAMPLE = '0199f3c2-5d2e-7b4a-9c1f-3e8d6a7b0c45';

/** A UUID as callers may send it, in either case (RFC 9562 section 4); it is read in lower case. */
export const anyUuid = z
  .string()
  .regex(
    /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/,
    `must be a UUID such as ${UUID_EXAMPLE}`,
  )
  .toLowerCase()
  .meta({ format: 'uuid' });

/** A plain SHA-256 commitment as callers may send it, with digits in either case; it is read in lower case. */
export const sha256Hash = z
  .string()
  .regex(/^sha256:[0-9a-fA-F]{64}$/, 'must be "sha256:" and 64 hex digits')
  .toLowerCase();

/** A commitment as the service stores it. */
export const commitmentHash = z.string().regex(/^(sha256|hmac-sha256):[0-9a-f]{64}$/);

/** A commitment of either kind as callers may send it, with digits in either case; it is read in lower case. */
export const anyCommitmentHash = z
  .string()
  .regex(/^(sha256|hmac-sha256):[0-9a-fA-F]{64}$/, 'must be "sha256:" or "hmac-sha256:" and 64 hex digits')
  .toLowerCase();

/** An OpenTelemetry trace id as lower-case hex. */
export const traceId = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 lower-case hex digits');
/** An OpenTelemetry span id as lower-case hex. */
export const spanId = z.string().regex(/^[0-9a-f]{16}$/, 'must be 16 lower-case hex digits');

/** Bytes as lower-case hex. */
export const hex = z.string().regex(/^([0-9a-f]{2})*$/);

// Of letters and symbols, these are drawn as nothing: fillers of Hangul, the empty pattern of Braille, a silent note.
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800\u{1D159}])[\p{L}\p{N}\p{P}\p{S}\p{Co}]/u;

/** Whether a text shows a reader anything: blanks, marks and characters that are drawn as nothing do not. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** A text that names something: of 1 to so many characters, none of them a control character. */
export function nameText(lengthMax: number) {
  return z
    .string()
    .min(1, { error: 'must not be empty', abort: true })
    .check(atMost(lengthMax))
    .regex(CONTROL_FREE, 'must not contain control characters');
}

/** Drawn as nothing, or as something that is about other characters. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\u2800\u{1D159}]/u;
/** Of these, what joins, parts and varies the letters of some scripts, and emoji. */
const JOINING = /[\p{Join_Control}\p{Variation_Selector}]/u;
/** What may be joined so: letters without case, their marks, and emoji. */
const JOINED = /[\p{Lo}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;
const EMOJI_STYLE = '\ufe0f';
const JOINER = '\u200d';

/**
 * Whether a text contains a character that no reader sees, so that it can look like another text: invisible ones, and
 * those that turn or break lines. What a script needs to write its words, and an emoji to be one, is none.
 */
export function hidesCharacters(text: string): boolean {
  let before = '';
  for (const character of text) {
    if (JOINING.test(character)) {
      const isEmoji = before === EMOJI_STYLE && character === JOINER;
      if (!isEmoji && (JOINING.test(before) || !JOINED.test(before))) return true;
    } else if (HIDDEN.test(character)) return true;
    before = character;
  }
  return false;
}

/** What is wrong with a name that hides characters. */
export const HIDES_RULE = 'must not contain invisible or bidirectional characters, nor separators of lines';

/** A name that one person gives and others read: what names something, and is what it looks like. */
export function shownName(lengthMax: number) {
  return nameText(lengthMax)
    .refine((name) => !hidesCharacters(name), { error: HIDES_RULE, abort: true })
    .refine(isVisible, 'must not be blank');
}

/** A key that names an application, an environment or a request. */
export const key = nameText(KEY_LENGTH_MAX);

/** An id of another system. */
export const externalId = nameText(EXTERNAL_ID_LENGTH_MAX);

/** What a time that a caller sends must be. */
export const TIME_RULE =
  'must be an RFC 3339 date-time with an offset, such as 2026-11-20T09:00:00Z or 2026-11-20T10:00:00+01:00';

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/**
 * A point in time as callers may send it: RFC 3339 with an offset. Whether it exists is for `parseDateTime` of the
 * encoding to say. No pattern is published, since `date-time` has a definition of its own.
 */
export const dateTime = z
  .string()
  .refine((text) => DATE_TIME.test(text), TIME_RULE)
  .meta({ format: 'date-time' });

/** A point in time as the service writes it: RFC 3339 UTC with microseconds. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  .refine(isInCalendar, 'must be a time that exists, in the years 1684 to 2255')
  .meta({ format: 'date-time' });

/** Whether a time of that form exists, and is within 2^53 - 1 microseconds of 1970. */
function isInCalendar(text: string): boolean {
  const millis = Date.parse(`${text.slice(0, 23)}Z`);
  if (!Number.isSafeInteger(millis * 1000 + Number(text.slice(23, 26)))) return false;
  // `Date` takes the 30th of February, and hour 24, for what follows them.
  return new Date(millis).toISOString().startsWith(text.slice(0, 19));
}
