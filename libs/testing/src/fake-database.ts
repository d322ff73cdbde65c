import { type EvidenceState, type RecordStatus, settingsCore } from '@answer-evidence/contracts';
import { formatHex, parseJsonText } from '@answer-evidence/encoding';
import {
  type AppendPlan,
  EMPTY_HEAD,
  type Head,
  idempotencyId,
  isTouched,
  parseSegmentIndexes,
  joinMembers,
  type KnownState,
  type RecordState,
  traceKey,
  type VersionedSettings,
  type Write,
} from '@answer-evidence/ledger';
import type {
  AnchorSecretRow,
  CommitRow,
  CredentialRow,
  DeadLetterRow,
  EventRow,
  EvidenceAccessRow,
  EvidenceAssetRow,
  EvidenceBindingRow,
  EvidenceContentRow,
  EvidenceDetailRow,
  EvidenceExpiryRow,
  EvidenceLinkRow,
  EvidenceRedactionRow,
  EvidenceSegmentContentRow,
  EvidenceSegmentRow,
  HashKeyRow,
  IdempotencyRow,
  JobRow,
  LeafRow,
  LedgerKeyRow,
  MemberRow,
  RecordRow,
  SealedRow,
  TextExpiryRow,
  TokenRow,
  TraceAttachmentRow,
  WorkspaceEntryRow,
} from '@answer-evidence/tables';

/** The tables of one workspace's log in memory. What a fake ledger commits, everything else reads here. */
export class FakeDatabase {
  head: Head = EMPTY_HEAD;
  readonly leaves: LeafRow[] = [];
  readonly commits: CommitRow[] = [];
  readonly records: RecordRow[] = [];
  readonly events: EventRow[] = [];
  readonly idempotency: IdempotencyRow[] = [];
  readonly workspaceEntries: WorkspaceEntryRow[] = [];
  readonly hashKeys: HashKeyRow[] = [];
  readonly ledgerKeys: LedgerKeyRow[] = [];
  readonly anchorSecrets = new Map<string, AnchorSecretRow>();
  readonly jobs: JobRow[] = [];
  deadLetters: readonly DeadLetterRow[] = [];
  tokens: readonly TokenRow[] = [];
  members: readonly MemberRow[] = [];
  credentials: readonly CredentialRow[] = [];
  readonly sealed = new Map<string, SealedRow>();
  readonly expiries: TextExpiryRow[] = [];
  readonly traces: TraceAttachmentRow[] = [];
  readonly states = new Map<string, RecordStatus>();
  readonly evidence = {
    assets: [] as EvidenceAssetRow[],
    contents: new Map<string, EvidenceContentRow>(),
    /** Contents by asset. */
    originals: new Map<string, string>(),
    segments: [] as EvidenceSegmentRow[],
    /** By asset and index. */
    segmentContents: new Map<string, EvidenceSegmentContentRow>(),
    details: new Map<string, EvidenceDetailRow>(),
    accesses: [] as EvidenceAccessRow[],
    bindings: [] as EvidenceBindingRow[],
    links: [] as EvidenceLinkRow[],
    redactions: [] as EvidenceRedactionRow[],
    expiries: [] as EvidenceExpiryRow[],
    states: new Map<string, EvidenceState>(),
    /** When to look, by asset. */
    dues: new Map<string, number>(),
    /** What the original of an asset was, and when its bytes were deleted, by asset. */
    purges: new Map<string, { readonly contentId: string; readonly deletedAt: number | null }>(),
  };

  /** The policy in force: the core of the newest `settings_changed` entry. */
  settings(): VersionedSettings {
    const newest = this.workspaceEntries.findLast(({ type }) => type === 'settings_changed');
    if (newest === undefined) throw new Error('the workspace has no policy yet');
    const core = settingsCore.parse(parseJsonText(newest.core_json));
    return { version: core.version, values: core.settings, updatedAt: this.leafOf(newest.id).at };
  }

  /** The leaf of an entry. */
  leafOf(id: string): LeafRow {
    const leaf = this.leaves.find((candidate) => candidate.id === id);
    if (leaf === undefined) throw new Error(`no leaf has the id ${id}`);
    return leaf;
  }

  /** What commands may ask for: all that is stored. */
  known(): KnownState {
    return {
      idempotency: new Map(
        this.idempotency.map((row) => [
          idempotencyId(row.scope, row.idempotency_key),
          { objectId: row.object_id, fingerprint: row.fingerprint },
        ]),
      ),
      records: new Map(this.records.map(({ id }) => [id, this.#recordState(id)])),
      traces: new Map(this.traces.map((row) => [traceKey(row), row.id])),
      tokens: new Map(
        this.tokens.map((row) => [
          row.id,
          {
            revoked: row.revoked_at !== null,
            goodUntil: row.cut_at === null ? (row.overlap_until ?? undefined) : undefined,
          },
        ]),
      ),
      tokenNames: new Map(
        this.tokens
          .filter((row) => row.revoked_at === null)
          .toSorted((a, b) => a.expires_at - b.expires_at)
          .map((row) => [row.name, { tokenId: row.id, expiresAt: row.expires_at }]),
      ),
      series: new Map(this.workspaceEntries.map(({ type, seq }) => [type, seq])),
      members: joinMembers(this),
      ...this.#knownEvidence(),
    };
  }

  /** Keeps all of a plan. */
  commit(plan: AppendPlan): void {
    if (plan.commit === undefined) return;
    this.head = plan.head;
    this.leaves.push(...plan.leaves);
    this.commits.push(plan.commit);
    // As in the database: erasing comes before what is inserted.
    for (const write of plan.writes) if (write.kind === 'erase_evidence') this.#apply(write);
    for (const write of plan.writes) if (write.kind !== 'erase_evidence') this.#apply(write);
  }

  #apply(write: Write): void {
    switch (write.kind) {
      case 'record':
        this.records.push(write.row);
        return;
      case 'event':
        this.events.push(write.row);
        return;
      case 'expiry':
        this.expiries.push(write.row);
        return;
      case 'idempotency':
        this.idempotency.push(write.row);
        return;
      case 'seal':
        this.sealed.set(write.row.object_id, write.row);
        return;
      case 'unseal':
        this.sealed.delete(write.objectId);
        return;
      case 'trace':
        this.traces.push(write.row);
        return;
      case 'status':
        this.states.set(write.row.record_id, write.row.status);
        return;
      case 'workspace_entry':
        this.workspaceEntries.push(write.row);
        return;
      case 'hash_key':
        this.hashKeys.push(write.row);
        return;
      case 'ledger_key':
        this.ledgerKeys.push(write.row);
        return;
      case 'anchor_secret':
        this.anchorSecrets.set(write.row.anchor_id, write.row);
        return;
      case 'job':
        this.jobs.push(write.row);
        return;
      case 'evidence_content':
        this.evidence.contents.set(write.row.id, write.row);
        return;
      case 'evidence_asset':
        this.evidence.assets.push(write.row);
        return;
      case 'evidence_original':
        this.evidence.originals.set(write.row.asset_id, write.row.content_id);
        return;
      case 'evidence_segment':
        this.evidence.segments.push(write.row);
        return;
      case 'evidence_segment_content':
        this.evidence.segmentContents.set(`${write.row.asset_id} ${write.row.segment_index}`, write.row);
        return;
      case 'evidence_detail':
        this.evidence.details.set(write.row.object_id, write.row);
        return;
      case 'evidence_access':
        this.evidence.accesses.push(write.row);
        return;
      case 'evidence_binding':
        this.evidence.bindings.push(write.row);
        return;
      case 'evidence_link':
        this.evidence.links.push(write.row);
        return;
      case 'evidence_redaction':
        this.evidence.redactions.push(write.row);
        return;
      case 'evidence_expiry':
        this.evidence.expiries.push(write.row);
        return;
      case 'evidence_state':
        this.evidence.states.set(write.row.asset_id, write.row.state);
        return;
      case 'evidence_due':
        this.evidence.dues.set(write.row.asset_id, write.row.due_at);
        return;
      case 'evidence_purge':
        this.evidence.purges.set(write.row.asset_id, { contentId: write.row.content_id, deletedAt: null });
        return;
      case 'erase_evidence':
        this.#eraseEvidence(write);
        return;
      case 'token':
        this.tokens = [...this.tokens, write.row];
        return;
      case 'revoke_token':
        this.tokens = this.tokens.map((token) =>
          token.id === write.tokenId && token.revoked_at === null
            ? { ...token, revoked_at: write.at, overlap_until: write.overlapUntil }
            : token,
        );
        return;
      case 'cut_token':
        this.tokens = this.tokens.map((token) => (token.id === write.tokenId ? { ...token, cut_at: write.at } : token));
        return;
      case 'member':
        this.members = [...this.members.filter((row) => row.id !== write.row.id), write.row];
        return;
      case 'credential':
        this.credentials = [...this.credentials.filter((row) => row.member_id !== write.row.member_id), write.row];
        return;
      case 'complete_run':
        throw new Error('reconciliations are tested on PostgreSQL');
      case 'drop_credential':
        this.credentials = this.credentials.filter((row) => row.member_id !== write.memberId);
        return;
    }
  }

  #knownEvidence(): Pick<KnownState, 'contents' | 'assets' | 'accesses' | 'holders'> {
    const { assets, contents, originals, accesses, redactions, expiries } = this.evidence;
    return {
      holders: new Map(
        assets.map(({ id }) => {
          const held = this.recordsHolding(id);
          return [id, held.length + this.extensionsOf(held).length];
        }),
      ),
      contents: new Map(
        [...contents.values()].map(({ id, content_hash: hash }) => [
          id,
          { id, hash, references: [...originals.values()].filter((content) => content === id).length },
        ]),
      ),
      assets: new Map(
        assets.map(({ id, application_key: applicationKey }) => [
          id,
          {
            applicationKey,
            contentId: originals.get(id) ?? null,
            erasures: [...redactions, ...expiries].filter((row) => row.asset_id === id).length,
          },
        ]),
      ),
      accesses: new Map(
        accesses.map((row) => {
          const segments = parseSegmentIndexes(row.segments_json);
          const isLater = ({ id }: { readonly id: string }) => this.leafOf(id).leaf_index > row.leaf_index;
          const erased =
            redactions.some(
              (other) =>
                other.asset_id === row.asset_id &&
                isLater(other) &&
                isTouched(segments, parseSegmentIndexes(other.segments_json)),
            ) || expiries.some((other) => other.asset_id === row.asset_id && isLater(other));
          return [row.id, { assetId: row.asset_id, applicationKey: row.application_key, segments, erased }];
        }),
      ),
    };
  }

  /** The records that bind an access to an asset or are linked to it, as often as they do. */
  recordsHolding(assetId: string): readonly string[] {
    const { accesses, bindings, links } = this.evidence;
    const own = new Set(accesses.filter((access) => access.asset_id === assetId).map(({ id }) => id));
    return [
      ...bindings.filter((row) => own.has(row.access_id)).map((row) => row.record_id),
      ...links.filter((row) => row.asset_id === assetId).map((row) => row.record_id),
    ];
  }

  /** How often the retention of these records was extended. */
  extensionsOf(recordIds: readonly string[]): readonly EventRow[] {
    return recordIds.flatMap((id) =>
      this.events.filter((event) => event.record_id === id && event.event_type === 'retention_extended'),
    );
  }

  #eraseEvidence({ assetId, segments, detailsOf, contentId }: Extract<Write, { kind: 'erase_evidence' }>): void {
    const { originals, contents, segmentContents, details } = this.evidence;
    originals.delete(assetId);
    if (contentId !== null) contents.delete(contentId);
    for (const [key, row] of segmentContents)
      if (row.asset_id === assetId && (segments === null || segments.includes(row.segment_index)))
        segmentContents.delete(key);
    for (const [id, row] of details)
      if (detailsOf === null ? row.asset_id === assetId : detailsOf.includes(id)) details.delete(id);
  }

  #recordState(id: string): RecordState {
    const last = this.events.findLast((event) => event.record_id === id);
    return {
      status: this.states.get(id) ?? 'recorded',
      sequence: last?.sequence ?? 0,
      lastHash: `sha256:${formatHex(this.leafOf(last?.id ?? id).hash)}`,
      expiries: this.expiries.filter((expiry) => expiry.record_id === id).length,
    };
  }
}
