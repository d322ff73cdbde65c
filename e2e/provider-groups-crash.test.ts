import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readToken, startProcess } from '../tools/scenery/service-process.ts';
import { askProvider, CLIENT, openTestProvider, type TestProvider } from './support/openid-provider.ts';
import { copyReadyData } from './support/ready-data.ts';

const MINUTES_MS = 60_000;
const RULES = [
  { group: 'members', role: 'member' },
  { group: 'reviewers', role: 'reviewer', applications: ['bot'] },
];
/** How long after its request a sign-in is cut off: before anything was decided, while it is, and after that. */
const KILLED_AFTER_MS = [0, 15, 40, 400];

let folder: string;
let provider: TestProvider;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-groups-'));
  provider = await openTestProvider();
}, MINUTES_MS);
afterAll(async () => {
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

it(
  'a sign-in that changes a role, cut off by a kill, has changed the member and the log or neither',
  async () => {
    const dataDir = join(folder, 'data');
    await copyReadyData(dataDir);
    const environment = {
      SERVICE_OIDC_ISSUER: provider.issuer,
      SERVICE_OIDC_CLIENT_ID: CLIENT.id,
      SERVICE_OIDC_CLIENT_SECRET: CLIENT.secret,
      SERVICE_OIDC_WORKSPACE: 'demo',
      SERVICE_OIDC_GROUPS: JSON.stringify(RULES),
    };
    let service = startProcess({ dataDir, environment });
    let baseUrl = await service.ready;
    await provider.register(`${baseUrl}/console/sign-in/callback`);
    const manager = await readToken(dataDir);
    const call = async (method: string, path: string) => {
      const response = await fetch(`${baseUrl}${path}`, { method, headers: { Authorization: `Bearer ${manager}` } });
      expect([path, response.status]).toEqual([path, 200]);
      return response.json();
    };
    /** Leads to the request that signs rita in. */
    const prepare = async () => {
      const begun = await fetch(`${baseUrl}/console/sign-in/provider`, { redirect: 'manual' });
      const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
      const returned = await askProvider(provider, new URL(begun.headers.get('location') ?? ''), 'rita');
      return () => fetch(`${baseUrl}${returned.pathname}${returned.search}`, { headers: { cookie } });
    };
    const signIn = async () => (await (await prepare())()).status;
    const memberOf = async () => {
      const { items } = await call('GET', '/api/members');
      return items.find(({ username }: { readonly username: string }) => username === 'rita@example.com');
    };
    /** The role of the member's row, and that of their newest entry. */
    const roles = async () => {
      const member = await memberOf();
      const { items } = await call('GET', '/api/tenant/entries?type=member_changed&size=200');
      const newest = items.find(({ core }: any) => core.member_id === member.id);
      return [member.access?.role ?? member.role, newest.core.access?.role ?? newest.core.role, member.version];
    };

    await provider.setGroups('rita', ['members']);
    expect(await signIn()).toBe(200);
    for (const [n, afterMs] of KILLED_AFTER_MS.entries()) {
      const group = n % 2 === 0 ? 'reviewers' : 'members';
      await provider.setGroups('rita', [group]);
      const send = await prepare();
      const cut = send().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      service.kill('SIGKILL');
      await Promise.all([service.exited, cut]);
      service = startProcess({ dataDir, environment });
      baseUrl = await service.ready;
      await provider.register(`${baseUrl}/console/sign-in/callback`);
      const [row, entry, version] = await roles();
      expect([afterMs, row]).toEqual([afterMs, entry]);
      // Whatever was cut off: the next sign-in gives what the groups say, once.
      expect(await signIn()).toBe(200);
      const wanted = n % 2 === 0 ? 'reviewer' : 'member';
      expect(await roles()).toEqual([wanted, wanted, row === wanted ? version : version + 1]);
    }
    expect((await call('POST', '/api/trust/ledger-checks')).findings).toEqual([]);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  },
  6 * MINUTES_MS,
);
