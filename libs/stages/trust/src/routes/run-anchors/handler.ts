import { runAnchors } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';

/** `POST /api/trust/anchors/run`: publish, ask the witnesses and anchor at once, without intervals or pauses. */
export function runAnchorsRoute(deps: Pick<TrustDeps, 'jobs'>): Route {
  return defineRoute({
    ...runAnchors,
    async handle({ caller }) {
      const { workspaceId } = caller;
      const [jobId = ''] = await deps.jobs.request(workspaceId, [{ topic: 'trust.run', subject: null }]);
      return { status: 202, body: { accepted: true, job_id: jobId } };
    },
  });
}
