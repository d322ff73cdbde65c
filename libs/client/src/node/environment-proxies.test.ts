import { describe, expect, it } from '@jest/globals';
import { findProxy, readProxies } from './environment-proxies.ts';

const find = (environment: Readonly<Record<string, string>>, url: string) =>
  findProxy(readProxies(environment), new URL(url))?.href;

describe('the proxy of a URL', () => {
  it.each([
    ['HTTPS_PROXY', 'https://evidence.example', 'http://proxy.example:3128/'],
    ['https_proxy', 'https://evidence.example', 'http://proxy.example:3128/'],
    ['HTTP_PROXY', 'http://evidence.example', 'http://proxy.example:3128/'],
    ['http_proxy', 'http://evidence.example', 'http://proxy.example:3128/'],
    ['HTTP_PROXY', 'https://evidence.example', undefined],
    ['HTTPS_PROXY', 'http://evidence.example', undefined],
  ])('by %s for %s is %s', (name, url, shown) => {
    expect(find({ [name]: 'http://proxy.example:3128' }, url)).toBe(shown);
    expect(find({ [name]: ' proxy.example:3128 ' }, url)).toBe(shown);
    expect(find({ [name]: '' }, url)).toBeUndefined();
  });

  it('is that of the lower case if both are there', () => {
    const env = { HTTPS_PROXY: 'http://upper.example', https_proxy: 'https://lower.example' };
    expect(find(env, 'https://evidence.example')).toBe('https://lower.example/');
  });

  it.each([
    ['*', 'https://evidence.example', true],
    ['evidence.example', 'https://evidence.example', true],
    ['EVIDENCE.example', 'https://evidence.example', true],
    ['example', 'https://evidence.example', true],
    ['.example', 'https://evidence.example', true],
    ['*.example', 'https://evidence.example', true],
    ['other.example, evidence.example', 'https://evidence.example', true],
    ['other.example evidence.example', 'https://evidence.example', true],
    ['evidence.example:443', 'https://evidence.example', true],
    ['evidence.example:8443', 'https://evidence.example:8443', true],
    ['10.0.0.5', 'https://10.0.0.5:8443', true],
    ['::1', 'https://[::1]:8443', true],
    ['[::1]:8443', 'https://[::1]:8443', true],
    ['', 'https://evidence.example', false],
    [',', 'https://evidence.example', false],
    ['evidence.example:8443', 'https://evidence.example', false],
    ['vidence.example', 'https://evidence.example', false],
    ['deep.evidence.example', 'https://evidence.example', false],
    ['10.0.0.5', 'https://10.0.0.55', false],
  ])('NO_PROXY=%s lists %s: %s', (list, url, isListed) => {
    for (const name of ['NO_PROXY', 'no_proxy']) {
      const env = { HTTPS_PROXY: 'http://proxy.example:3128', [name]: list };
      expect(find(env, url)).toBe(isListed ? undefined : 'http://proxy.example:3128/');
    }
  });

  it.each(['http://user:secret@[', 'socks5://user:secret@proxy.example', '://secret'])(
    'is refused by the name of its variable, without its value: %s',
    (value) => {
      expect(() => readProxies({ https_proxy: value })).toThrow(
        new TypeError('HTTPS_PROXY must be a URL such as http://proxy.example:3128'),
      );
    },
  );
});
