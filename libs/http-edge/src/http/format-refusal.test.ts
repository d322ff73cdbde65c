import { describe, expect, it } from '@jest/globals';
import { problem } from '@answer-evidence/contracts';
import { findProblemFaults } from '@answer-evidence/testing';
import { formatRefusal } from './format-refusal.ts';

describe('what never reaches a handler', () => {
  it.each([
    ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'request_timeout'],
    ['HPE_HEADER_OVERFLOW', 431, 'headers_too_large'],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413, 'body_too_large'],
    ['CONNECT', 501, 'connect_not_supported'],
    ['HPE_INVALID_METHOD', 400, 'malformed_request'],
    ['constructor', 400, 'malformed_request'],
    [undefined, 400, 'malformed_request'],
  ])('because of %s gets a whole reply with a problem', (reason, status, code) => {
    const [head = '', body = ''] = formatRefusal(reason).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
    expect(head).toContain(`\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`);
    expect(head).toMatch(/\r\nConnection: close$/);
    const sent = problem.parse(JSON.parse(body));
    expect([sent.status, sent.code]).toEqual([status, code]);
    expect(findProblemFaults(sent)).toEqual([]);
  });
});
