import { consoleLinkRequest, consoleSessionReply, consoleSignInRequest, consoleSignInWays } from '../console.ts';
import { consoleDeviceDecision, consoleDeviceLogin, consoleDeviceQuery } from '../device-logins.ts';
import { get, post, remove } from './operation.ts';

const OPENED = {
  200: {
    description: 'The session',
    schema: consoleSessionReply,
    headers: { 'Set-Cookie': 'The secret of the session, which no script of a page can read' },
  },
} as const;

const ENDED = {
  204: { description: 'Signed out', headers: { 'Set-Cookie': 'Removes the secret of the session' } },
  401: { description: 'There is no open session' },
  403: { description: 'X-CSRF-Token is missing or wrong' },
} as const;

const DEVICE_REFUSALS = {
  401: { description: 'There is no open session' },
  403: { description: 'X-CSRF-Token is missing or wrong' },
  404: { description: 'No sign-in waits under this code' },
  429: { description: 'Too many wrong codes' },
} as const;

export const endConsoleSession = remove('/console/session', 'endConsoleSession', 'public', {
  summary: 'Sign this browser out',
  responses: ENDED,
});

export const endConsoleSessions = remove('/console/sessions', 'endConsoleSessions', 'public', {
  summary: 'Sign the member out in every browser',
  responses: ENDED,
});

export const createConsoleSession = post('/console/session', 'createConsoleSession', 'public', {
  summary: 'Sign a browser in with a password',
  rateLimit: 'login',
  body: consoleSignInRequest,
  responses: {
    ...OPENED,
    401: { description: 'Name, password or workspace is wrong, or the member is disabled' },
    403: { description: 'A page of another site asks for it' },
    409: { description: 'The workspace has as many live tokens as it may have' },
    429: { description: 'Too many failed logins for this account or from this address' },
  },
});

export const showConsoleSession = get('/console/session', 'showConsoleSession', 'public', {
  summary: 'Show the session of this browser',
  // A secret of the session is in it.
  compressReplies: false,
  crossOrigin: false,
  responses: {
    200: { description: 'The session', schema: consoleSessionReply },
    401: { description: 'There is no open session' },
  },
});

export const useConsoleLink = post('/console/session/link', 'useConsoleLink', 'public', {
  summary: 'Set a password with a one-time link, and sign the browser in',
  rateLimit: 'login',
  body: consoleLinkRequest,
  responses: {
    ...OPENED,
    401: { description: 'The link is invalid, expired, or already used' },
    403: { description: 'A page of another site asks for it' },
    409: { description: 'The workspace has as many live tokens as it may have' },
  },
});

export const showSignInWays = get('/console/sign-in', 'showSignInWays', 'public', {
  summary: 'Say by which ways people sign in',
  crossOrigin: false,
  responses: { 200: { description: 'The ways', schema: consoleSignInWays } },
});

export const findDeviceLogin = post('/console/device-logins/find', 'findDeviceLogin', 'public', {
  summary: 'Show the sign-in of a code',
  crossOrigin: false,
  body: consoleDeviceQuery,
  responses: { 200: { description: 'Who asks, and for what', schema: consoleDeviceLogin }, ...DEVICE_REFUSALS },
});

export const decideDeviceLogin = post('/console/device-logins', 'decideDeviceLogin', 'public', {
  summary: 'Approve or deny the sign-in of a code',
  crossOrigin: false,
  body: consoleDeviceDecision,
  responses: { 204: { description: 'Decided' }, ...DEVICE_REFUSALS },
});
