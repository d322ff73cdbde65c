import { describe, expect, it } from '@jest/globals';
import { transportSecurityOf } from './addresses.ts';
import { parseConfig } from './config.ts';

const TLS = { SERVICE_TLS_CERT_FILE: '/a.crt', SERVICE_TLS_KEY_FILE: '/a.key' };
const PUBLIC = { SERVICE_BASE_URL: 'https://audit.example.com' };
const YEAR = 'max-age=31536000';

describe('Strict-Transport-Security', () => {
  it.each([
    [{}, undefined],
    [{ SERVICE_BASE_URL: 'http://audit.example.com' }, undefined],
    [{ SERVICE_HSTS_SECONDS: '300' }, undefined],
    [TLS, YEAR],
    [PUBLIC, YEAR],
    [{ SERVICE_BASE_URL: 'https://{workspace}.example.com' }, YEAR],
    [{ ...TLS, SERVICE_HSTS_SECONDS: '0' }, 'max-age=0'],
    [{ ...TLS, ...PUBLIC, SERVICE_HSTS_SECONDS: 'off' }, undefined],
  ])('with %j is %j', (settings, value) => {
    expect(transportSecurityOf(parseConfig(settings))).toBe(value);
  });
});
