import * as z from 'zod';
import { PROOF_PAGE_PATH } from '@answer-evidence/contracts';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';

const HTML = 'text/html';
const POLICY = /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/;

const responses = {
  200: {
    description: 'A page, the same for everybody, that opens the link after its `#` and verifies what it shows',
    contentType: HTML,
    headers: {
      'Content-Security-Policy': 'What the page may do',
      'Referrer-Policy': 'No referrer is sent',
      'X-Robots-Tag': 'Search engines keep nothing of it',
    },
  },
} as const;

/** `GET /proof/` and what stands below it: the page that a link to a record leads to. */
export function showProofPageRoutes({ proofPage }: Pick<TrustDeps, 'proofPage'>): readonly Route[] {
  async function show() {
    const body = await proofPage();
    const policy = POLICY.exec(body)?.[1];
    if (policy === undefined) throw new Error('the page of links to records has no policy');
    return {
      status: 200,
      contentType: `${HTML}; charset=utf-8`,
      headers: {
        'Cache-Control': 'no-cache',
        // What a policy in the page itself cannot say.
        'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
        'Referrer-Policy': 'no-referrer',
        'X-Robots-Tag': 'noindex, nofollow',
      },
      body,
    };
  }
  const shared = { method: 'GET', access: 'public', crossOrigin: false, responses, handle: show } as const;
  return [
    defineRoute({
      ...shared,
      path: PROOF_PAGE_PATH,
      operationId: 'showProofPage',
      summary: 'Show the page for a link to a record',
    }),
    defineRoute({
      ...shared,
      path: `${PROOF_PAGE_PATH}{+path}`,
      operationId: 'showProofPageBelow',
      summary: 'Show the page for a link to a record, at any address below it',
      params: z.strictObject({ path: z.string() }),
      query: z.looseObject({}),
    }),
  ];
}
