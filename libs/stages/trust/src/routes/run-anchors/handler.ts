import { runAnchors } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';

/** `POST /api/trust/anchors/run`: publish, ask the witnesses and anchor at once, or renew all tokens. */
export function runAnchorsRoute(deps: Pick<TrustDeps, 'jobs'>): Route {
  return defineRoute({
    ...runAnchors,
    async handle({ caller, body }) {
      const { workspaceId } = caller;
      const topic = body?.renew !== true ? 'trust.run' : body.hash === undefined ? 'trust.renew' : 'trust.hash';
      const [jobId = ''] = await deps.jobs.request(workspaceId, [{ topic, subject: null }]);
      return { status: 202, body: { accepted: true, job_id: jobId } };
    },
  });
}
