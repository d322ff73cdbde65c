import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listen } from '@answer-evidence/testing';
import { parseConfig } from '../ground/config.ts';
import { inspectIdentityProvider } from './inspect-identity-provider.ts';

let server: Awaited<ReturnType<typeof listen>>;
let tokenReply: { readonly status: number; readonly error: string };
let further: object;

beforeAll(async () => {
  server = await listen((req, reply) => {
    const { url } = server;
    const isDescription = req.url === '/.well-known/openid-configuration';
    const description = {
      issuer: url,
      authorization_endpoint: `${url}/a`,
      token_endpoint: `${url}/t`,
      jwks_uri: `${url}/k`,
      ...further,
    };
    const body = isDescription ? description : { error: tokenReply.error };
    reply
      .writeHead(isDescription ? 200 : tokenReply.status, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(body));
  });
});
beforeEach(() => void (further = {}));
afterAll(() => server.close());

async function inspect(issuer: string | undefined, claim?: string) {
  const findings = await inspectAll(issuer, claim);
  return findings[0];
}

function inspectAll(issuer: string | undefined, claim?: string, groups?: readonly object[]) {
  const oidc = {
    SERVICE_OIDC_ISSUER: issuer,
    SERVICE_OIDC_CLIENT_ID: 'ledger',
    SERVICE_OIDC_CLIENT_SECRET: 'secret',
    SERVICE_OIDC_WORKSPACE: 'acme',
    ...(claim === undefined ? {} : { SERVICE_OIDC_CLAIM: claim }),
    ...(groups === undefined ? {} : { SERVICE_OIDC_GROUPS: JSON.stringify(groups) }),
  };
  return inspectIdentityProvider(parseConfig(issuer === undefined ? {} : oidc));
}

describe('the look at the OpenID provider', () => {
  it('passes where the provider accepts the client, and says which claim counts', async () => {
    tokenReply = { status: 400, error: 'invalid_grant' };
    expect(await inspectAll(server.url)).toMatchObject([
      { name: 'oidc.provider', outcome: 'PASS' },
      { name: 'oidc.claim', outcome: 'PASS', text: expect.stringContaining('"email"') },
    ]);
  });

  it.each([
    ['Entra ID, whose list has no email_verified', { claims_supported: ['sub', 'email'] }, 'email', 'email_verified'],
    ['a claim that is in no list', { claims_supported: ['sub', 'oid'] }, 'groups', '"groups"'],
    ['another client authentication', { token_endpoint_auth_methods_supported: ['private_key_jwt'] }, 'sub', '_basic'],
    ['no scope for addresses', { scopes_supported: ['openid'] }, 'email', 'list of scopes'],
  ])('warns of what the description lacks: %s', async (_, described, claim, word) => {
    tokenReply = { status: 400, error: 'invalid_grant' };
    further = described;
    expect(await inspectAll(server.url, claim)).toMatchObject([
      { outcome: 'PASS' },
      { name: 'oidc.claim', outcome: 'WARN', text: expect.stringContaining(word) },
    ]);
  });

  it('says whether groups are among its claims, and which rows of the table count for nobody', async () => {
    tokenReply = { status: 400, error: 'invalid_grant' };
    const rows = ['reviewers', 'auditors', 'reviewers'].map((group) => ({ group, role: 'reviewer' }));
    const groups = async (used: readonly object[], listed: readonly string[]) => {
      further = listed.length === 0 ? {} : { claims_supported: listed };
      const found = (await inspectAll(server.url, 'sub', used)).filter(({ name }) => name === 'oidc.groups');
      return found.map(({ outcome, text }) => [outcome, text.replace(server.url, 'it')]);
    };
    expect(await groups(rows.slice(0, 2), ['sub', 'groups'])).toEqual([
      ['PASS', 'the claim "groups" is in its list of claims'],
    ]);
    expect(await groups(rows.slice(0, 2), [])).toMatchObject([['PASS', expect.stringContaining('lists no claims')]]);
    expect(await groups(rows, ['sub'])).toEqual([
      ['WARN', expect.stringMatching(/^it: its list of claims has no "groups"; .*SERVICE_OIDC_GROUPS_CLAIM/)],
      ['WARN', 'row 3 of SERVICE_OIDC_GROUPS counts for nobody: row 1 has its group'],
    ]);
    expect((await inspectAll(server.url, 'sub')).filter(({ name }) => name === 'oidc.groups')).toEqual([]);
  });

  it.each([
    [400, 'unauthorized_client', 'authorization code flow'],
    [400, 'redirect_uri_mismatch', '/console/sign-in/callback'],
    [403, 'access_denied', 'SERVICE_OIDC_CLIENT_SECRET'],
  ])('says what to do about a refusal: %d %s', async (status, error, words) => {
    tokenReply = { status, error };
    expect(await inspect(server.url)).toMatchObject({ outcome: 'FAIL', text: expect.stringContaining(words) });
  });

  it('fails where the secret is wrong, the provider fails, or nobody responds, each in words', async () => {
    tokenReply = { status: 401, error: 'invalid_client' };
    const wrong = await inspect(server.url);
    expect(wrong).toMatchObject({ outcome: 'FAIL', text: expect.stringContaining('SERVICE_OIDC_CLIENT_SECRET') });
    tokenReply = { status: 500, error: 'server_error' };
    expect(await inspect(server.url)).toMatchObject({ outcome: 'FAIL', text: expect.stringContaining('unavailable') });
    const gone = await inspect('http://127.0.0.1:1');
    expect(gone).toMatchObject({ outcome: 'FAIL', text: expect.stringContaining('cannot be used') });
  });

  it('is skipped without a provider', async () => {
    expect(await inspect(undefined)).toMatchObject({ outcome: 'SKIP' });
  });
});
