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
  it('lets this machine be called only when the operator lists it, wherever the service listens', () => {
    for (const host of ['127.0.0.1', '::1', 'localhost', '0.0.0.0', 'audit.example.com']) {
      const environment = { SERVICE_HTTP_HOST: host };
      expect(allows('http://127.0.0.1:8090/', environment)).toBe(false);
      const listing = { ...environment, SERVICE_OUTBOUND_ALLOW: '127.0.0.1:8090,[::1]:*' };
      expect(allows('http://127.0.0.1:8090/', listing)).toBe(true);
      expect(allows('http://127.0.0.1:5432/', listing)).toBe(false);
      expect(allows('http://[::1]:5432/', listing)).toBe(true);
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
