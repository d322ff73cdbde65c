import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('GET /auth/password', () => {
  it('is a page whose policy lets its own script and style run and nothing else', async () => {
    const { call } = createFakeStage(createWorkspaceStage);
    const reply = await call('GET', '/auth/password');
    expect(reply).toMatchObject({ status: 200, contentType: 'text/html; charset=utf-8' });
    const page = String(reply.body);
    const policy = reply.headers?.['Content-Security-Policy'] ?? '';
    for (const tag of ['script', 'style']) {
      const inline = [...page.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))].map(([, text = '']) => text);
      expect(inline).toHaveLength(1);
      const hash = createHash('sha256')
        .update(inline[0] ?? '')
        .digest('base64');
      expect(policy).toContain(`${tag}-src 'sha256-${hash}'`);
    }
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(page).not.toMatch(/ on[a-z]+=| src=| href=/);
  });
});
