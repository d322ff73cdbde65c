import { describe, expect, it } from '@jest/globals';
import { listen } from '@answer-evidence/testing';
import { openIdentityProvider } from './identity-provider.ts';

const HANDSHAKE = { state: 'a state', nonce: 'a nonce', verifier: 'v'.repeat(43) };

describe('a provider of OpenID Connect', () => {
  it('is told the secret that the client has at that moment', async () => {
    const said: (string | undefined)[] = [];
    const server = await listen((req, reply) => {
      const isDescription = req.url === '/.well-known/openid-configuration';
      if (!isDescription) said.push(req.headers.authorization);
      const { url } = server;
      const body = isDescription
        ? {
            issuer: url,
            authorization_endpoint: `${url}/begin`,
            token_endpoint: `${url}/token`,
            jwks_uri: `${url}/keys`,
          }
        : { error: 'invalid_grant' };
      reply.writeHead(isDescription ? 200 : 400, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
    let secret = 'one';
    const provider = openIdentityProvider(
      { issuer: server.url, clientId: 'ledger', clientSecret: () => secret, claim: 'email' },
      { onUnreachable: () => undefined, onRefused: () => undefined },
    );
    const finish = () =>
      provider.finish(HANDSHAKE, new URL(`http://localhost/callback?code=c&state=${encodeURIComponent('a state')}`));
    await expect(finish()).rejects.toThrow('did not confirm this sign-in');
    secret = 'two';
    await expect(finish()).rejects.toThrow('did not confirm this sign-in');
    const basic = (words: string) => `Basic ${Buffer.from(words).toString('base64')}`;
    expect(said).toEqual([basic('ledger:one'), basic('ledger:two')]);
    await server.close();
  });
});
