import { describe, expect, it } from '@jest/globals';
import { findNearest } from './nearest-name.ts';

const KNOWN = ['application_key', 'answer', 'question', 'environment', 'external_trace_id', 'mode'];

describe('the name that was meant', () => {
  it.each([
    ['applicationKey', 'application_key'],
    ['application-key', 'application_key'],
    ['APPLICATION_KEY', 'application_key'],
    ['awnser', 'answer'],
    ['enviroment', 'environment'],
    ['externalTraceID', 'external_trace_id'],
    ['questions', 'question'],
    ['trace_id', 'external_trace_id'],
    ['traceId', 'external_trace_id'],
  ])('of %s is %s', (name, meant) => {
    expect(findNearest(name, KNOWN)).toBe(meant);
  });

  it.each(['', 'x', '_', 'prompt', 'key_mode', 'response', '__proto__', 'answer'.repeat(20)])(
    'of %j is none',
    (name) => {
      expect(findNearest(name, KNOWN)).toBeUndefined();
    },
  );

  it('is none where two begin or end alike', () => {
    expect(findNearest('key', ['application_key', 'idempotency_key'])).toBeUndefined();
  });
});
