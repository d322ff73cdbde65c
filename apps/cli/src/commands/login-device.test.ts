import { describe, expect, it } from '@jest/globals';
import { fakeProblem } from '../testing/fake-host.ts';
import { runTranscript } from '../testing/run-transcript.ts';
import { AT, ID } from '../testing/samples.ts';

const NO_TOKEN = { SERVICE_TOKEN: '' };
const CONFIG = '/home/me/.config/answer-evidence/config.yaml';
const BEGIN = 'POST /api/auth/device';
const ASK = 'POST /api/auth/device/token';
const DEVICE_CODE = 'aed_the-secret-of-the-device';
const begun = {
  ...{ device_code: DEVICE_CODE, user_code: 'BCDF-GHJK', verification_url: 'https://host.example/console/device' },
  ...{ expires_in_seconds: 600, interval_seconds: 5 },
};
const issued = {
  ...{ id: ID, name: 'device-anna-0000', kind: 'user', application_key: null, scopes: [], user_id: ID },
  ...{ created_at: AT, expires_at: AT, revoked_at: null, last_used_at: null, token: 'aeu_the-new-token' },
  ...{ base_url: null },
  profile: { username: 'anna', tenant_slug: 'demo', tenant_display_name: 'Demo', role: 'member' },
};
const HOST = { body: { kind: 'workspace-api', version: '2026-07-31', workspace: null, device_login: true } };
const refusal = (status: number, code: string) => ({ status, body: fakeProblem(status, code, `told: ${code}`) });
const world = { env: NO_TOKEN, host: HOST };

describe('login --device', () => {
  it('shows where to type which code, waits for the person, and saves the token', async () => {
    const pending = refusal(400, 'authorization_pending');
    const routes = { [BEGIN]: { body: begun }, [ASK]: [pending, refusal(400, 'slow_down'), pending, { body: issued }] };
    const argv = ['login', '--device', '--workspace', 'demo', '--token-name', 'laptop', '--expires-in', '8h'];
    const run = await runTranscript(argv, routes, world);
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain('https://host.example/console/device');
    expect(run.stderr).toContain('BCDF-GHJK');
    expect(run.calls.map(({ path }) => path)).toEqual(['/api/auth/device', ...Array(4).fill('/api/auth/device/token')]);
    expect(JSON.parse(run.calls[0]?.body ?? '')).toEqual({
      client_name: 'answer-evidence command line',
      ...{ workspace: 'demo', token_name: 'laptop', expires_in_seconds: 8 * 3_600 },
    });
    expect(JSON.parse(run.calls[1]?.body ?? '')).toEqual({ device_code: DEVICE_CODE });
    expect(run.files.get(CONFIG)).toContain(issued.token);
    for (const secret of [DEVICE_CODE, issued.token]) expect(run.stdout + run.stderr).not.toContain(secret);
  });

  it.each([
    [403, 'access_denied'],
    [404, 'device_code_not_valid'],
    [401, 'login_failed'],
  ])('ends with 1 at %i %s, and saves nothing', async (status, code) => {
    const run = await runTranscript(
      ['login', '--device'],
      { [BEGIN]: { body: begun }, [ASK]: refusal(status, code) },
      world,
    );
    expect([run.exitCode, run.files.has(CONFIG)]).toEqual([1, false]);
    expect(run.stderr).toContain(code);
    expect(run.stderr).not.toContain(DEVICE_CODE);
  });

  it('asks a person for the workspace where the host serves several', async () => {
    const several = fakeProblem(422, 'schema_violation', 'set workspace to yours', '/workspace');
    const routes = { [BEGIN]: [{ status: 422, body: several }, { body: begun }], [ASK]: { body: issued } };
    const run = await runTranscript(['login', '--device'], routes, { ...world, answers: ['demo'] });
    expect(run.exitCode).toBe(0);
    expect(run.calls.slice(0, 2).map(({ body }) => JSON.parse(body ?? '').workspace)).toEqual([undefined, 'demo']);
  });

  it('asks nothing of a host that does not say that it can, and takes no user name', async () => {
    const old = { body: { kind: 'workspace-api', version: '2026-07-31', workspace: null } };
    const without = await runTranscript(['login', '--device'], {}, { ...world, host: old });
    expect([without.exitCode, without.calls]).toEqual([2, []]);
    const named = await runTranscript(['login', '--device', '--username', 'anna'], {}, world);
    expect([named.exitCode, named.calls]).toEqual([2, []]);
  });
});
