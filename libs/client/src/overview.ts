import { getOverview } from '@answer-evidence/contracts/operations';
import { createCalls } from './calls.ts';
import type { Send } from './transport.ts';

/** Which days an overview is about. */
export type OverviewAsked = { readonly days?: number | undefined; readonly application_key?: string | undefined };

/** What needs somebody in the workspace, and how many answers there were. */
export type OverviewApi = ReturnType<typeof createOverviewApi>;

/** The overview over a transport. */
export function createOverviewApi(send: Send) {
  const { call } = createCalls(send);
  return {
    get: async (asked: OverviewAsked = {}) => call(getOverview, { query: asked }),
  };
}
