import { deviceLogin, deviceLoginRequest, deviceTokenRequest } from '../device-logins.ts';
import { loginReply, loginRequest, profile, setPasswordRequest } from '../members.ts';
import { post } from './operation.ts';

export const beginDeviceLogin = post('/api/auth/device', 'beginDeviceLogin', 'public', {
  summary: 'Begin a sign-in that a person approves in a browser',
  rateLimit: 'login',
  body: deviceLoginRequest,
  // Secrets are in it.
  compressReplies: false,
  responses: {
    200: {
      description: 'A code for the device and one for the person, which are not shown again',
      schema: deviceLogin,
    },
    503: { description: 'No code was free, or too many sign-ins from this address wait' },
  },
});

export const redeemDeviceLogin = post('/api/auth/device/token', 'redeemDeviceLogin', 'public', {
  summary: 'Ask for the token of a sign-in that a person approves',
  body: deviceTokenRequest,
  compressReplies: false,
  responses: {
    200: { description: 'A user API token, which is not shown again, and its user', schema: loginReply },
    400: {
      description: 'Nobody has decided yet (`authorization_pending`), or the device asks too often (`slow_down`)',
    },
    401: { description: 'The member who approved it may not sign in any more' },
    403: { description: 'The person has denied it' },
    404: { description: 'The code is wrong, has expired or was used' },
    409: { description: 'An active token has the given name, or there are as many live tokens as there may be' },
  },
});

export const login = post('/api/auth/login', 'login', 'public', {
  summary: 'Sign in with a password',
  rateLimit: 'login',
  body: loginRequest,
  responses: {
    200: { description: 'A user API token, which is not shown again, and its user', schema: loginReply },
    401: { description: 'Name, password or workspace is wrong, or the member is disabled' },
    409: { description: 'An active token has the given name, or there are as many live tokens as there may be' },
    429: { description: 'Too many failed logins for this account or from this address' },
  },
});

export const logout = post('/api/auth/logout', 'logout', 'tokens.own', {
  summary: 'Revoke the token of this request',
  responses: { 204: { description: 'The token is revoked' } },
});

export const setPassword = post('/api/auth/password', 'setPassword', 'public', {
  summary: 'Set a password with a one-time link',
  rateLimit: 'login',
  body: setPasswordRequest,
  responses: {
    200: { description: 'The password is set; sign in with it', schema: profile },
    401: { description: 'The link is invalid, expired, or already used' },
  },
});
