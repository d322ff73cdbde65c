import { sha256 } from '@answer-evidence/digest';
import { formatBase64 } from '@answer-evidence/encoding';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { PASSWORD_PAGE_PATH } from '../../members/password-link.ts';
import { PAGE_SCRIPT, PAGE_STYLE, PASSWORD_PAGE } from './page.ts';

const HTML = 'text/html';

/** `GET /auth/password`: the page of a password link, the same for everyone; the secret stays in the browser. */
export function showPasswordPageRoute(): Route {
  const hashOf = (text: string) => `'sha256-${formatBase64(sha256(text))}'`;
  const policy = [
    `default-src 'none'`,
    `script-src ${hashOf(PAGE_SCRIPT)}`,
    `style-src ${hashOf(PAGE_STYLE)}`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
  return defineRoute({
    method: 'GET',
    path: PASSWORD_PAGE_PATH,
    operationId: 'showPasswordPage',
    summary: 'Show the page for setting a password with a link',
    access: 'public',
    responses: {
      200: {
        description: 'A page that sends only what the user enters, and only to this host',
        contentType: HTML,
        headers: {
          'Content-Security-Policy': 'What the page may do',
          'Referrer-Policy': 'No referrer is sent',
        },
      },
    },
    handle: () =>
      Promise.resolve({
        status: 200,
        contentType: `${HTML}; charset=utf-8`,
        headers: { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' },
        body: PASSWORD_PAGE,
      }),
  });
}
