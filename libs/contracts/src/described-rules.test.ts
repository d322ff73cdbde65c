import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as z from 'zod';
import { createEventRequest } from './events.ts';
import { createEvidenceRequest } from './evidence.ts';
import { createRecordRequest } from './records.ts';
import { createTokenRequest } from './tokens.ts';

const answerOf = (question: object) => ({ application_key: 'a', question, answer: { text: 'Yes.' } });
const application = { name: 'a', kind: 'application' };
const hash = `sha256:${'0'.repeat(64)}`;

/** Rules that the schemas themselves check. */
const CASES = [
  ['a text', createRecordRequest, answerOf({ text: 'Q?' }), true],
  ['a hash', createRecordRequest, answerOf({ hash }), true],
  ['neither text nor hash', createRecordRequest, answerOf({}), false],
  ['segments', createEvidenceRequest, { segments: ['a'] }, true],
  ['content and segments', createEvidenceRequest, { segments: ['a'], content_base64: 'YQ==' }, true],
  ['no content', createEvidenceRequest, { name: 'a.md' }, false],
  ['content here and elsewhere', createEvidenceRequest, { external_uri: 'urn:a', content_base64: 'YQ==' }, false],
] as const;
/** Rules that routes check. */
const CASES_OF_ROUTES = [
  ['a user token', createTokenRequest, { name: 'a', kind: 'user' }, true],
  ['a user token with scopes', createTokenRequest, { name: 'a', kind: 'user', scopes: ['answer_audit:read'] }, false],
  ['an unbound application token', createTokenRequest, application, false],
  [
    'an application token',
    createTokenRequest,
    { ...application, application_key: 'a', scopes: ['answer_audit:read'] },
    true,
  ],
  ['a void', createEventRequest, { event_type: 'voided' }, true],
  ['a correction without an answer', createEventRequest, { event_type: 'correction_appended', payload: {} }, false],
  [
    'a correction',
    createEventRequest,
    { event_type: 'correction_appended', payload: { corrected_answer_text: 'No.' } },
    true,
  ],
] as const;

function isDescribed(schema: z.ZodType, value: unknown): boolean {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return new Ajv2020({ strict: false, validateFormats: false }).validate(described, value);
}

describe('rules about several members', () => {
  it.each([...CASES, ...CASES_OF_ROUTES])('are described: %s', (_, schema, value, isGood) => {
    expect(isDescribed(schema, value)).toBe(isGood);
  });

  it.each(CASES)('are described as they are checked: %s', (_, schema, value, isGood) => {
    expect(schema.safeParse(value).success).toBe(isGood);
  });
});
