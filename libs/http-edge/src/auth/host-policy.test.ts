import { describe, expect, it } from '@jest/globals';
import { createHostPolicy } from './host-policy.ts';

const nobody = { findBySlug: () => Promise.resolve(undefined) };

describe('a base URL', () => {
  it('without the placeholder lets every host pass', () => {
    const hosts = createHostPolicy('https://evidence.example.com', nobody);
    expect(hosts.assertHost('anything', null)).toBeUndefined();
    expect(hosts.findSlug('anything')).toBeUndefined();
  });

  it.each([
    ['demo.example.com', 'demo'],
    ['Demo.Example.COM', 'demo'],
    ['demo.example.com:443', 'demo'],
    ['a-1.example.com', 'a-1'],
    ['example.com', undefined],
    ['.example.com', undefined],
    ['a.b.example.com', undefined],
    ['-a.example.com', undefined],
    ['demo.example.com.', undefined],
    ['demo.example.comx', undefined],
    [`${'a'.repeat(64)}.example.com`, undefined],
    [undefined, undefined],
  ])('with it reads the workspace of %s', (host, slug) => {
    expect(createHostPolicy('https://{workspace}.example.com', nobody).findSlug(host)).toBe(slug);
  });

  it.each([
    'https://example.com/{workspace}',
    'https://api.{workspace}.example.com',
    'https://{workspace}.{workspace}.com',
    'https://{tenant}.example.com:x',
    'example.com',
    '',
  ])('%s is refused', (baseUrl) => {
    expect(() => createHostPolicy(baseUrl, nobody)).toThrow();
  });
});
