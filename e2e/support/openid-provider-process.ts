import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { CLIENT, findClaims } from './openid-provider.ts';

// A program: a certified provider of OpenID Connect, whose people sign in without being asked anything.

const INTERACTION = '/interaction/';
let handle: RequestListener = (_, res) => void res.writeHead(503).end();

const server = createServer((req, res) => handle(req, res));
server.listen(0, 'localhost', () => process.send?.((server.address() as AddressInfo).port));

process.on('disconnect', () => process.exit());
/** The groups of people whom a test has put into some. */
const groupsOf = new Map<string, unknown>();

process.on('message', (message: string | { readonly subject: string; readonly groups: unknown }) => {
  if (typeof message === 'string') handle = createProvider(message).callback();
  else groupsOf.set(message.subject, message.groups);
  process.send?.('done');
});

function createProvider(redirectUri: string): Provider {
  const { port } = server.address() as AddressInfo;
  const provider = new Provider(`http://localhost:${port}`, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['preferred_username'],
      groups: ['groups'],
    },
    cookies: { keys: ['a key of the tests'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `${INTERACTION}${uid}` },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...findClaims(id), ...(groupsOf.has(id) ? { groups: groupsOf.get(id) } : {}) }),
    }),
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid profile email groups');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith(INTERACTION)) return next();
    const { params } = await provider.interactionDetails(ctx.req, ctx.res);
    const accountId = typeof params['login_hint'] === 'string' ? params['login_hint'] : 'anna';
    await provider.interactionFinished(ctx.req, ctx.res, { login: { accountId } });
    ctx.respond = false;
    return undefined;
  });
  return provider;
}
