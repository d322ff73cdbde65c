import { describe, expect, it } from '@jest/globals';
import { parseRegistry } from './registry.ts';
import { UsageError } from './usage-error.ts';

describe('parseRegistry', () => {
  it.each([
    ['https://demo.example', 'https://demo.example'],
    ['https://demo.example/', 'https://demo.example'],
    ['https://demo.example:8443/base//', 'https://demo.example:8443/base'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://127.9.9.9', 'http://127.9.9.9'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://demo.localhost:8080', 'http://demo.localhost:8080'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
  ])('takes %s', (text, registry) => {
    expect(parseRegistry(text, '--registry')).toBe(registry);
  });

  it.each([
    ['demo.example'],
    ['localhost:8080'],
    ['ftp://demo.example'],
    ['file:///etc/passwd'],
    ['http://demo.example'],
    ['http://127.0.0.1.evil.example'],
    ['http://localhost.evil.example'],
    ['http://10.0.0.1'],
    ['https://user:hunter2@demo.example'],
    ['https://demo.example?token=hunter2'],
    ['https://demo.example#hunter2'],
  ])('refuses %s, without its secrets', (text) => {
    expect(() => parseRegistry(text, '--registry')).toThrow(UsageError);
    expect(() => parseRegistry(text, '--registry')).not.toThrow('hunter2');
  });
});
