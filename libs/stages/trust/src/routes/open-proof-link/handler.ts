import { type JsonObject, type OpenedProof, ServiceError } from '@answer-evidence/contracts';
import { openProofLink } from '@answer-evidence/contracts/operations';
import { formatTimestamp, utf8 } from '@answer-evidence/encoding';
import { defineRoute, type Route, type RouteReply } from '@answer-evidence/routes';
import { buildBundle, type UncheckedBundle } from '../../bundle/build-bundle.ts';
import { formatInPieces } from '../../bundle/format-in-pieces.ts';
import { readRecordAtHead } from '../../bundle/read-consistently.ts';
import { soundProofs } from '../../bundle/read-proofs.ts';
import { chooseCheckpoint } from '../../checkpoints/choose-checkpoint.ts';
import type { TrustDeps } from '../../deps.ts';
import { readTrust } from '../../log-keys/read-trust.ts';
import { findOpenLink } from '../../proof-links/find-open-link.ts';
import { createNoteOpening } from '../../proof-links/note-opening.ts';

/** A record with more attachments is sent piece by piece. */
const WHOLE_MAX = 256;

/** No cache keeps a record, and no search engine finds it. */
const HEADERS = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow', 'Referrer-Policy': 'no-referrer' };

/** `POST /api/proof-links/open`: what a link shows, to anyone who has it, and an entry that says that it was opened. */
export function openProofLinkRoute(deps: TrustDeps): Route {
  const noteOpening = createNoteOpening(deps);
  return defineRoute({
    ...openProofLink,
    async handle(request): Promise<RouteReply> {
      const { workspace, link } = await findOpenLink(deps, request.header('host'), request.body.token);
      const { answer_log_id: recordId, shows, expires_at } = link.core;
      const { stored, evidence, snapshot, lastLeaf } = await readRecordAtHead(deps, workspace, recordId);
      if (stored.status === 'redacted')
        throw new ServiceError(
          'gone_redacted',
          'the record behind this link was redacted; do not try again, since its texts no longer exist',
        );
      const policy = await deps.trust.policy(workspace.id);
      const chosen = await chooseCheckpoint(deps, workspace, policy, snapshot, lastLeaf, 0);
      // The log says that somebody sees the record before anything of it leaves.
      const vouchedBy = await noteOpening(workspace, link);
      const isWhole = shows === 'record';
      const door = isWhole ? ({ texts: 'shown', vouchedBy } as const) : ({ texts: 'withheld' } as const);
      const bundle = await buildBundle(
        deps,
        workspace,
        { stored, evidence, door },
        soundProofs(snapshot.nodes),
        chosen,
        policy,
      );
      const about = {
        format: 'answer-evidence-proof/v1',
        workspace: workspace.displayName,
        origin: workspace.origin,
        shows,
        opened_at: formatTimestamp(deps.clock.nowMicros()),
        expires_at,
        trust: await readTrust(deps, workspace, policy),
      } as const;
      if (isWhole && bundle.attachments.length > WHOLE_MAX)
        return {
          status: 200,
          headers: HEADERS,
          contentType: 'application/json',
          stream: { bytes: formatAround(about, formatInPieces(bundle, deps.turn)) },
        };
      const reply: OpenedProof = {
        ...about,
        bundle: isWhole ? bundle : null,
        commitments: isWhole ? null : commitmentsOf(bundle),
      };
      return { status: 200, headers: HEADERS, body: reply };
    },
  });
}

/** The leaves of the record and its events: cores hold commitments, and no text, source or reason. */
function commitmentsOf(bundle: UncheckedBundle): NonNullable<OpenedProof['commitments']> {
  const { record, events } = bundle as UncheckedBundle & {
    readonly record: JsonObject;
    readonly events: readonly JsonObject[];
  };
  return [record, ...events].map(({ entry, core, proof }) => ({ entry, core, proof }) as const) as NonNullable<
    OpenedProof['commitments']
  >;
}

async function* formatAround(about: object, bundle: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield utf8(`${JSON.stringify({ ...about, commitments: null }).slice(0, -1)},"bundle":`);
  yield* bundle;
  yield utf8('}');
}
