import { describe, expect, it } from '@jest/globals';
import type { Stage } from '@answer-evidence/routes';
import { createFakeStage } from '@answer-evidence/testing';
import type { WorkspaceDeps } from '../../deps.ts';
import { describeHostRoute } from './handler.ts';

const PATH = '/.well-known/answer-evidence';

const createStage = (deps: Pick<WorkspaceDeps, 'workspaceOfHost'>): Stage => ({
  name: 'host',
  routes: [describeHostRoute(deps)],
  tickers: [],
  consumers: [],
  schedules: [],
});

describe('GET /.well-known/answer-evidence', () => {
  it('says without a token that this is a workspace API host, of no workspace in particular', async () => {
    const { call } = createFakeStage(() => createStage({}));
    expect(await call('GET', PATH, { headers: { host: 'acme.example.com' } })).toEqual({
      status: 200,
      body: { kind: 'workspace-api', version: '2026-07-31', workspace: null, device_login: true },
    });
  });

  it('names the workspace that the host stands for, and none for another host', async () => {
    const { call } = createFakeStage((deps) =>
      createStage({
        ...deps,
        workspaceOfHost: (host) =>
          Promise.resolve(host === 'acme.example.com' ? { slug: 'acme', displayName: 'Acme' } : undefined),
      }),
    );
    expect(await call('GET', PATH, { headers: { host: 'acme.example.com' } })).toMatchObject({
      body: { workspace: { slug: 'acme', display_name: 'Acme' } },
    });
    expect(await call('GET', PATH, { headers: { host: 'other.example.com' } })).toMatchObject({
      body: { workspace: null },
    });
  });
});
