import { describe, expect, it } from '@jest/globals';
import { createRecordRequest } from '@answer-evidence/contracts';
import { createBodyTemplate, formatKey, KEY_PLACEHOLDER } from './create-body.ts';

describe('the body of the load', () => {
  it('is a create of 1 KB that the contract accepts, whatever its key', () => {
    const body = createBodyTemplate().replace(KEY_PLACEHOLDER, formatKey('run', 7));
    expect(Buffer.byteLength(body)).toBe(1024);
    expect(createRecordRequest.parse(JSON.parse(body)).idempotency_key).toMatch(/^run-0+7$/);
  });

  it('holds its placeholder once, and keys of one length differ by number and by prefix', () => {
    expect(createBodyTemplate().split(KEY_PLACEHOLDER)).toHaveLength(2);
    const keys = [formatKey('a', 1), formatKey('a', 2), formatKey('b', 1), formatKey('longer', 1)];
    expect(new Set(keys).size).toBe(4);
    expect(keys.map((key) => key.length)).toEqual([36, 36, 36, 36]);
  });
});
