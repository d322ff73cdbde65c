import { answerTopic } from './answer-topic.ts';
import type { CallService } from './call-service.ts';
import type { Draw } from './draw.ts';
import { APPLICATIONS } from './texts.ts';

type Retrieved = { readonly access_event_id: string; readonly source_ref: object };

/** Keeps the documents for one application, and returns what reads one of them for an answer, once per call. */
export async function readDocuments(
  documents: Readonly<Record<string, readonly string[]>>,
  call: CallService,
  draw: Draw,
): Promise<() => Promise<void>> {
  const [app] = APPLICATIONS;
  if (app === undefined) throw new Error('there is no application');
  const assets: string[] = [];
  for (const [name, segments] of Object.entries(documents)) {
    const body = { application_key: app.key, name, segments };
    assets.push((await call<{ id: string }>('POST', '/api/evidence-assets', body)).id);
  }
  let read = 0;
  return async () => {
    read++;
    const body = { purpose: `an answer to a customer, ${String(read)}` };
    const { access_event_id, source_ref } = await call<Retrieved>(
      'POST',
      `/api/evidence-assets/${draw.one(assets)}/retrieve`,
      body,
    );
    const { request } = answerTopic(app, 90_000 + read, Date.now(), draw);
    const bound = { ...request, source_refs: [source_ref], evidence_access_event_ids: [access_event_id] };
    await call('POST', '/api/answer-audit-logs', bound);
  };
}
