import { describe, expect, it } from '@jest/globals';
import { createFakeConsole } from '../../../fixtures/console.ts';

const SITE = {
  'index.html': '<script type="module" src="/docs/assets/app.a1.js"></script><p>see docs/trust.md</p>',
  'trust.html': '<script id="dark">go()</script><a href="/docs/index.html">start</a>',
  'formats/index.html': 'formats',
  'assets/app.a1.js': 'const base = "/docs/";',
};
/** `printf 'go()' | openssl dgst -sha256 -binary | base64` */
const GO = "'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw='";
const TEXT = new TextDecoder();

function textOf(reply: { readonly body?: unknown }): string {
  return reply.body instanceof Uint8Array ? TEXT.decode(reply.body) : String(reply.body);
}

describe('the documentation', () => {
  const { call } = createFakeConsole({ docs: SITE });

  it('has its pages by their addresses, with and without the end of their names', async () => {
    for (const [path, text] of [
      ['/docs/', SITE['index.html']],
      ['/docs/trust.html', SITE['trust.html']],
      ['/docs/trust', SITE['trust.html']],
      ['/docs/formats/', 'formats'],
    ] as const) {
      const reply = await call('GET', path);
      expect([path, reply.status, reply.contentType]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(textOf(reply)).toBe(text);
    }
    expect(await call('GET', '/docs')).toMatchObject({ status: 303, headers: { Location: '/docs/' } });
  });

  it('runs the scripts that its pages came with, and no other', async () => {
    const { headers } = await call('GET', '/docs/trust.html');
    expect(headers?.['Content-Security-Policy']).toContain(`script-src 'self' ${GO};`);
    const start = await call('GET', '/docs/');
    expect(start.headers?.['Content-Security-Policy']).toContain(`script-src 'self';`);
  });

  it('has files that are kept for ever by their names', async () => {
    const reply = await call('GET', '/docs/assets/app.a1.js');
    expect(reply).toMatchObject({ status: 200, contentType: 'text/javascript; charset=utf-8' });
    expect(reply.headers?.['Cache-Control']).toContain('immutable');
    expect((await call('GET', '/docs/trust')).headers?.['Cache-Control']).toBe('no-cache');
  });

  it('names its files below the path that a proxy has before the service, and leaves its texts', async () => {
    const below = createFakeConsole({ docs: SITE, basePath: '/evidence' });
    expect(textOf(await below.call('GET', '/docs/'))).toBe(
      '<script type="module" src="/evidence/docs/assets/app.a1.js"></script><p>see docs/trust.md</p>',
    );
    expect(textOf(await below.call('GET', '/docs/assets/app.a1.js'))).toBe('const base = "/evidence/docs/";');
  });

  it('says which page is not there, and the command where it was not built', async () => {
    for (const path of ['/docs/trust.md', '/docs/..%2ftrust.html', '/docs/assets/', '/docs/%00'])
      expect(await call('GET', path)).toMatchObject({ status: 404, code: 'not_found' });
    const unbuilt = createFakeConsole();
    const reply = await unbuilt.call('GET', '/docs/');
    expect(reply).toMatchObject({ status: 404, code: 'not_found' });
    expect(reply.detail).toContain('npm run docs:site');
  });
});
