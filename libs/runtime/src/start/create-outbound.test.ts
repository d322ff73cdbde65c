import { describe, expect, it } from '@jest/globals';
import { parseConfig } from './config.ts';
import { createOutbound } from './create-outbound.ts';

const allows = (url: string, environment: Readonly<Record<string, string>> = {}): boolean => {
  try {
    createOutbound(parseConfig(environment)).assertAllowed(url);
    return true;
  } catch {
    return false;
  }
};

describe('createOutbound', () => {
  it('lets this machine be called only by a service that nobody else reaches', () => {
    for (const host of ['127.0.0.1', '::1', 'localhost']) {
      expect(allows('http://127.0.0.1:8090/', { SERVICE_HTTP_HOST: host })).toBe(true);
    }
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'audit.example.com']) {
      expect(allows('http://127.0.0.1:8090/', { SERVICE_HTTP_HOST: host })).toBe(false);
    }
  });

  it('lets private addresses be called only when the operator lists them', () => {
    const listed = { SERVICE_OUTBOUND_ALLOW: '10.0.0.7:8090', SERVICE_HTTP_HOST: '0.0.0.0' };
    expect(allows('http://10.0.0.7:8090/')).toBe(false);
    expect(allows('http://10.0.0.7:8090/', listed)).toBe(true);
    expect(allows('http://10.0.0.8:8090/', listed)).toBe(false);
    expect(allows('https://169.254.169.254/', listed)).toBe(false);
    expect(allows('https://witness.example/', listed)).toBe(true);
  });
});
