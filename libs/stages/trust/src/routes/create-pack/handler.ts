import { actorOf, assertAllowed, type Caller } from '@answer-evidence/access';
import { commitPlain } from '@answer-evidence/commitments';
import {
  type Belonging,
  type CreatePackRequest,
  type JsonObject,
  type PackExportCore,
  PROOF_LINK_LIFE_SECONDS_DEFAULT,
  ServiceError,
  takesTexts,
} from '@answer-evidence/contracts';
import { createPack } from '@answer-evidence/contracts/operations';
import { formatTimestamp, utf8 } from '@answer-evidence/encoding';
import {
  type AppendCommand,
  createNoteCommand,
  exportCommand,
  guardCommand,
  permitCommand,
  rehearse,
} from '@answer-evidence/ledger';
import {
  holdsTexts,
  newCoreIdentity,
  type TextDoor,
  type VersionedTrustPolicy,
  type Workspace,
} from '@answer-evidence/ports';
import {
  defineRoute,
  findExportRequest,
  type PlannedReading,
  planWholeReading,
  type Route,
} from '@answer-evidence/routes';
import { buildBundle } from '../../bundle/build-bundle.ts';
import { readConsistently } from '../../bundle/read-consistently.ts';
import { soundProofs } from '../../bundle/read-proofs.ts';
import { chooseCheckpoint } from '../../checkpoints/choose-checkpoint.ts';
import type { TrustDeps } from '../../deps.ts';
import { readTrust } from '../../log-keys/read-trust.ts';
import { formatPack, type PackCover } from '../../packs/format-pack.ts';
import { assertLinksAllowed, makeLink } from '../../proof-links/make-link.ts';

/** All bundles of one pack, in UTF-16 code units of their JSON; they are held in memory some times over. */
const BUNDLES_LENGTH_MAX = 32 * 1024 * 1024;

const WITHOUT_TEXTS: PlannedReading = { door: { texts: 'withheld' }, entriesFor: () => [] };

/** `POST /api/trust/packs`: an HTML file with the bundles of records that verifies itself, and a ledger entry. */
export function createPackRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...createPack,
    async handle(request) {
      const { approval_id: approvalId, ...body } = request.body;
      const { caller } = request;
      const workspace = await deps.directory.get(caller.workspaceId);
      if (body.proof_links !== undefined) {
        assertAllowed(caller, 'proof_links');
        await assertLinksAllowed(deps, workspace);
      }
      const approved = await findExportRequest(deps.approvals, workspace, approvalId);
      const policy = await deps.trust.policy(workspace.id);
      const identity = newCoreIdentity(deps);
      const { door, entriesFor } =
        body.texts === 'withheld'
          ? WITHOUT_TEXTS
          : await planWholeReading(deps, { request, caller, operation: createPack });
      const { bundles, read, linkable, packed } = await readBundles(deps, caller, workspace, policy, door, body);
      const actor = actorOf(caller);
      const append = (make: (gate: (command: AppendCommand) => AppendCommand) => AppendCommand) =>
        deps.ledger.append(workspace.id, (settings) =>
          make((command) =>
            exportCommand(command, {
              workspaceId: workspace.id,
              settings,
              requester: actor,
              records: takesTexts(body) ? bundles.length : 0,
              now: deps.clock.nowMicros(),
              approved: approved?.approve({ pack: body }),
              identity: newCoreIdentity(deps),
            }),
          ),
        );
      const mayLeave = (command: AppendCommand) => {
        const guarded = guardCommand(command, actor, 'packs', ...packed);
        return door.texts === 'shown' ? guardCommand(guarded, actor, 'texts.read') : guarded;
      };
      // No link is made for a pack that needs two people.
      if (body.proof_links !== undefined) await append((gate) => rehearse(gate(mayLeave(permitCommand(workspace.id)))));
      const content = formatPack({
        page: await deps.packPage(),
        madeAt: formatTimestamp(deps.clock.nowMicros()),
        origin: workspace.origin,
        trust: await readTrust(deps, workspace, policy),
        bundles,
        cover: await makeCover(deps, caller, workspace, body, linkable),
      });
      const core: PackExportCore = {
        ...identity,
        format: 'pack',
        // Without `texts`, the texts left as well.
        filters: body,
        records: bundles.length,
        content_hash: commitPlain(content),
        ...(approvalId === undefined ? {} : { approval_id: approvalId.toLowerCase() }),
        actor,
      };
      // The log says that the file left before it does.
      const noted = createNoteCommand(workspace.id, { type: 'export_made', seq: 0, core }, ...entriesFor(read));
      await append((gate) => gate(mayLeave(noted)));
      return {
        status: 200,
        contentType: 'text/html; charset=utf-8',
        headers: { 'Content-Disposition': 'attachment; filename="evidence-pack.html"' },
        body: utf8(content),
      };
    },
  });
}

/** A record of the pack, and what it belongs to. */
type PackedRecord = Belonging & { readonly id: string };

/** What the cover says; a link that is made for it is an entry of the log before the pack leaves. */
async function makeCover(
  deps: TrustDeps,
  caller: Caller,
  workspace: Workspace,
  { purpose, recipient, texts, proof_links: wanted }: CreatePackRequest,
  linkable: readonly (PackedRecord | undefined)[],
): Promise<PackCover> {
  const links: NonNullable<PackCover['links']>[number][] = [];
  if (wanted !== undefined) {
    const shows = wanted.shows ?? (texts === 'withheld' ? 'commitments' : 'record');
    const asked = { shows, expires_in_seconds: wanted.expires_in_seconds ?? PROOF_LINK_LIFE_SECONDS_DEFAULT };
    for (const record of linkable) {
      if (record === undefined) {
        links.push(undefined);
        continue;
      }
      const { url, expires_at } = await makeLink(deps, caller, workspace, record, asked);
      links.push({ url, expires_at });
    }
  }
  return {
    operator: workspace.displayName,
    ...(purpose === undefined ? {} : { purpose }),
    ...(recipient === undefined ? {} : { recipient }),
    links,
  };
}

/** The bundles as they leave by this door, the ids of those records whose texts do, and which may have a link. */
async function readBundles(
  deps: TrustDeps,
  caller: Caller,
  workspace: Workspace,
  policy: VersionedTrustPolicy,
  door: TextDoor,
  { answer_log_ids: recordIds }: CreatePackRequest,
): Promise<{
  readonly bundles: readonly JsonObject[];
  readonly read: readonly string[];
  readonly linkable: readonly (PackedRecord | undefined)[];
  readonly packed: readonly PackedRecord[];
}> {
  const bundles: JsonObject[] = [];
  const packed: PackedRecord[] = [];
  const linkable: (PackedRecord | undefined)[] = [];
  const read: string[] = [];
  let length = 0;
  for (const [n, recordId] of recordIds.entries()) {
    if (n > 0) await deps.turn();
    const { stored, evidence, holds, snapshot, lastLeaf } = await readConsistently(deps, caller, recordId);
    const chosen = await chooseCheckpoint(deps, workspace, policy, snapshot, lastLeaf, 0);
    const record = { stored, evidence, holds, door };
    const bundle = await buildBundle(deps, workspace, record, soundProofs(snapshot.nodes), chosen, policy);
    length += JSON.stringify(bundle).length;
    if (length > BUNDLES_LENGTH_MAX)
      throw new ServiceError('schema_violation', 'the bundles of these records are larger than 32 MiB together', {
        errors: [{ pointer: `/answer_log_ids/${n}`, detail: 'must be left for another pack' }],
      });
    bundles.push(bundle);
    // Of a redacted record a link shows nothing.
    linkable.push(stored.status === 'redacted' ? undefined : stored.record);
    packed.push(stored.record);
    if (holdsTexts(stored)) read.push(stored.record.id);
  }
  return { bundles, read, linkable, packed };
}
