import {
  type DeadLetterRow,
  type AnchorSecretRow,
  type CredentialRow,
  type EventRow,
  type HashKeyRow,
  type IdempotencyRow,
  type LedgerKeyRow,
  type JobRow,
  type LeafRow,
  type MemberRow,
  type CommitRow,
  type RecordRow,
  type RecordStatus,
  type SealedRow,
  settingsCore,
  type TextExpiryRow,
  type TokenRow,
  type TraceAttachmentRow,
  type WorkspaceEntryRow,
} from '@answer-evidence/contracts';
import { formatHex, parseJsonText } from '@answer-evidence/encoding';
import {
  type AppendPlan,
  EMPTY_HEAD,
  type Head,
  idempotencyId,
  joinMembers,
  type KnownState,
  type RecordState,
  traceKey,
  type VersionedSettings,
  type Write,
} from '@answer-evidence/ledger';

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
    };
  }

  /** Keeps all of a plan. */
  commit(plan: AppendPlan): void {
    if (plan.commit === undefined) return;
    this.head = plan.head;
    this.leaves.push(...plan.leaves);
    this.commits.push(plan.commit);
    for (const write of plan.writes) this.#apply(write);
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
      case 'drop_credential':
        this.credentials = this.credentials.filter((row) => row.member_id !== write.memberId);
        return;
    }
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
