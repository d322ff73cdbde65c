import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen } from '@answer-evidence/testing';
import { parseConfig } from '../start/config.ts';
import { inspectIdentityProvider } from './inspect-identity-provider.ts';

let server: Awaited<ReturnType<typeof listen>>;
let tokenReply: { readonly status: number; readonly error: string };

beforeAll(async () => {
  server = await listen((req, reply) => {
    const { url } = server;
    const isDescription = req.url === '/.well-known/openid-configuration';
    const description = {
      issuer: url,
      authorization_endpoint: `${url}/a`,
      token_endpoint: `${url}/t`,
      jwks_uri: `${url}/k`,
    };
    const body = isDescription ? description : { error: tokenReply.error };
    reply
      .writeHead(isDescription ? 200 : tokenReply.status, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(body));
  });
});
afterAll(() => server.close());

function inspect(issuer: string | undefined) {
  const oidc = {
    SERVICE_OIDC_ISSUER: issuer,
    SERVICE_OIDC_CLIENT_ID: 'ledger',
    SERVICE_OIDC_CLIENT_SECRET: 'secret',
    SERVICE_OIDC_WORKSPACE: 'acme',
  };
  return inspectIdentityProvider(parseConfig(issuer === undefined ? {} : oidc));
}

describe('the look at the OpenID provider', () => {
  it('passes where the provider accepts the client, and says which claim counts', async () => {
    tokenReply = { status: 400, error: 'invalid_grant' };
    expect(await inspect(server.url)).toMatchObject({ outcome: 'PASS', text: expect.stringContaining('"email"') });
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
