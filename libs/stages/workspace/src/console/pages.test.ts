import { describe, expect, it } from '@jest/globals';
import { createFakeConsole } from '../../fixtures/console.ts';

const TEXT = new TextDecoder();

describe('the pages of the console', () => {
  const { call } = createFakeConsole();

  it('begin at every address below /console/, whatever its query', async () => {
    for (const path of ['/console/', '/console/records', '/console/records/1/events', '/console/index.html']) {
      const reply = await call('GET', path, { query: { status: 'corrected', page: '2' } });
      expect([path, reply.status, reply.contentType]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(String(reply.body)).toContain('<title>page</title>');
    }
  });

  it('name their files below the path that a proxy has before the service', async () => {
    const below = createFakeConsole({ basePath: '/evidence', page: '<script src="/console/assets/a-1.js"></script>' });
    const reply = await below.call('GET', '/console/records');
    expect(reply.body).toBe('<script src="/evidence/console/assets/a-1.js"></script>');
  });

  it('have files that are kept for ever by their names, and none by a name that is gone', async () => {
    const reply = await call('GET', '/console/assets/a-1.js');
    expect(reply).toMatchObject({ status: 200, contentType: 'text/javascript; charset=utf-8' });
    expect(reply.body instanceof Uint8Array ? TEXT.decode(reply.body) : reply.body).toBe('run()');
    for (const path of ['/console/assets/a-2.js', '/console/assets/', '/console/assets/..%2findex.html'])
      expect(await call('GET', path)).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('are where a browser is led, and nobody else', async () => {
    for (const path of ['/', '/console']) {
      const led = await call('GET', path, { headers: { accept: 'text/html,application/xhtml+xml;q=0.9' } });
      expect(led).toMatchObject({ status: 303, headers: { Location: '/console/' } });
      expect(await call('GET', path)).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  it('are replaced by one that names the command where they were not built', async () => {
    const unbuilt = createFakeConsole({ isBuilt: false });
    const reply = await unbuilt.call('GET', '/console/');
    expect(reply).toMatchObject({ status: 200, contentType: 'text/html; charset=utf-8' });
    expect(String(reply.body)).toContain('npm run console:build');
    expect(String(reply.body)).not.toMatch(/<script|<style| style=/);
  });

  it('say that they are no host for tokens', async () => {
    const reply = await call('GET', '/console/.well-known/answer-evidence');
    expect(reply).toMatchObject({ status: 200, body: { kind: 'browser-session-proxy' } });
  });
});
