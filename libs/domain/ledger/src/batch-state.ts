import {
  createPackRequest,
  type EntryType,
  exportCore,
  memberCore,
  packExportCore,
  type StoredApprovalState,
  takesTexts,
} from '@answer-evidence/contracts';
import { formatHex, parseJsonText } from '@answer-evidence/encoding';
import { type IdempotencyRow, listedOf, type RecordRow } from '@answer-evidence/tables';
import type {
  AccessState,
  AssetState,
  ContentState,
  ExportSeen,
  Insert,
  LogState,
  NameHolder,
  RecordState,
  Replace,
  TokenState,
  TracePlace,
  Write,
} from './append-command.ts';
import { BatchEvidence } from './batch-evidence.ts';
import { parseKeyClaim } from './commands/idempotent.ts';
import type { MemberChangeSeen, MemberState } from './members.ts';

/** What the database said about everything that the commands of a batch read. Absent means not there. */
export type LoadedState = {
  /** By `idempotencyId(scope, key)`. */
  readonly idempotency: ReadonlyMap<string, { readonly objectId: string; readonly fingerprint: Uint8Array }>;
  /** Records by the call that they were made of. */
  readonly calls: ReadonlyMap<string, string>;
  readonly records: ReadonlyMap<string, RecordState>;
  /** Ids of attached traces by `traceKey(place)`. */
  readonly traces: ReadonlyMap<string, string>;
  readonly tokens: ReadonlyMap<string, TokenState>;
  readonly tokenNames: ReadonlyMap<string, NameHolder>;
  /** How many were neither revoked nor expired when the last leaf was made. */
  readonly liveTokens: number;
  /** The newest `seq` of each series of workspace entries. */
  readonly series: ReadonlyMap<EntryType, number>;
  readonly members: readonly MemberState[];
  /** By id. */
  readonly contents: ReadonlyMap<string, ContentState>;
  readonly assets: ReadonlyMap<string, AssetState>;
  readonly accesses: ReadonlyMap<string, AccessState>;
  /** By the asset's id. */
  readonly holders?: ReadonlyMap<string, number>;
  /** Requests for a second person. */
  readonly approvals?: ReadonlyMap<string, StoredApprovalState>;
  readonly openApprovals?: number;
  readonly memberChanges?: readonly MemberChangeSeen[];
  /** Cores of exports as they are stored, and their times. */
  readonly exports?: readonly StoredCore[];
};

type StoredCore = { readonly core_json: string; readonly at: number };

/** Nothing was read, or nothing was there. */
export const NOTHING_KNOWN: LoadedState = {
  idempotency: new Map(),
  calls: new Map(),
  records: new Map(),
  traces: new Map(),
  tokens: new Map(),
  series: new Map(),
  members: [],
  tokenNames: new Map(),
  liveTokens: 0,
  contents: new Map(),
  assets: new Map(),
  accesses: new Map(),
};

/** One string for a scope and a key; a newline cannot stand in either. */
export function idempotencyId(scope: string, key: string): string {
  return `${scope}\n${key}`;
}

/** One string for the place of a trace. */
export function traceKey({ record_id: recordId, trace_id: traceId, span_id: spanId }: TracePlace): string {
  return `${recordId}\n${traceId}\n${spanId ?? ''}`;
}

/** The view of a batch: what was read, overlaid by what the commands before have decided to write. */
export class BatchState implements LogState {
  settings: { readonly version: number };
  leafIndex: number;
  at: number;
  readonly #known: LoadedState;
  readonly #idempotency = new Map<string, { objectId: string; fingerprint: Uint8Array }>();
  readonly #calls = new Map<string, string>();
  readonly #records = new Map<string, RecordState>();
  /** Records of this batch and the hashes of their cores; few of them are looked for in it. */
  readonly #created = new Map<string, { readonly row: RecordRow; readonly hash: Uint8Array }>();
  readonly #traces = new Map<string, string>();
  readonly #tokens = new Map<string, TokenState>();
  readonly #tokenNames = new Map<string, NameHolder>();
  #issuedTokens = 0;
  readonly #series = new Map<EntryType, number>();
  readonly #evidence: BatchEvidence;
  #members: readonly MemberState[];
  readonly #approvals = new Map<string, StoredApprovalState>();
  #openedApprovals = 0;
  readonly #memberChanges: MemberChangeSeen[] = [];
  readonly #exports: StoredCore[] = [];
  /** How many writes of this batch may have changed what holds an asset. */
  #holdersMoved = 0;

  constructor(known: LoadedState, start: { settingsVersion: number; leafIndex: number; at: number }) {
    this.#known = known;
    this.#members = known.members;
    this.#evidence = new BatchEvidence(known);
    this.settings = { version: start.settingsVersion };
    this.leafIndex = start.leafIndex;
    this.at = start.at;
  }

  findIdempotency(scope: string, key: string) {
    const id = idempotencyId(scope, key);
    return this.#idempotency.get(id) ?? this.#known.idempotency.get(id);
  }

  findCall(call: string): string | undefined {
    return this.#calls.get(call) ?? this.#known.calls.get(call);
  }

  findRecord(recordId: string): RecordState | undefined {
    const state = this.#records.get(recordId) ?? this.#known.records.get(recordId);
    if (state !== undefined) return state;
    const created = this.#created.get(recordId);
    if (created === undefined) return undefined;
    const { row, hash } = created;
    return {
      listed: listedOf(row),
      status: 'recorded',
      sequence: 0,
      lastHash: `sha256:${formatHex(hash)}`,
      expiries: 0,
    };
  }

  findTrace(place: TracePlace): string | undefined {
    return this.#traces.get(traceKey(place)) ?? this.#known.traces.get(traceKey(place));
  }

  findToken(tokenId: string) {
    return this.#tokens.get(tokenId) ?? this.#known.tokens.get(tokenId);
  }

  findTokenName(name: string): NameHolder | undefined {
    const holder = this.#tokenNames.get(name) ?? this.#known.tokenNames.get(name);
    return holder === undefined || this.#tokens.get(holder.tokenId)?.revoked === true ? undefined : holder;
  }

  liveTokens(): number {
    return this.#known.liveTokens + this.#issuedTokens;
  }

  lastOf(series: EntryType): number {
    return this.#series.get(series) ?? this.#known.series.get(series) ?? 0;
  }

  members(): readonly MemberState[] {
    return this.#members;
  }

  findContentByHash(hash: string): ContentState | undefined {
    return this.#evidence.findContentByHash(hash);
  }

  findContent(contentId: string): ContentState | undefined {
    return this.#evidence.findContent(contentId);
  }

  findAsset(assetId: string): AssetState | undefined {
    return this.#evidence.findAsset(assetId);
  }

  findAccess(accessId: string): AccessState | undefined {
    return this.#evidence.findAccess(accessId);
  }

  holders(assetId: string): number {
    // Whose holders a command of this batch has changed is not asked; to prepare an expiry again costs little.
    return (this.#known.holders?.get(assetId) ?? 0) + this.#holdersMoved;
  }

  findApproval(approvalId: string): StoredApprovalState | undefined {
    return this.#approvals.get(approvalId) ?? this.#known.approvals?.get(approvalId);
  }

  openApprovals(): number {
    return (this.#known.openApprovals ?? 0) + this.#openedApprovals;
  }

  memberChanges(): readonly MemberChangeSeen[] {
    return [...(this.#known.memberChanges ?? []), ...this.#memberChanges];
  }

  exports(): readonly ExportSeen[] {
    return [...(this.#known.exports ?? []), ...this.#exports].map(({ core_json: json, at }) => exportOf(json, at));
  }

  #changeMember(id: string | null, change: (before: MemberState) => MemberState): void {
    this.#members = this.#members.map((state) => (state.row.id === id ? change(state) : state));
  }

  /** Takes in what a command writes; `hash` is the hash of its first entry. */
  apply(writes: readonly Write[], hash: Uint8Array, entries: number): void {
    for (const write of writes) {
      switch (write.kind) {
        case 'insert':
          this.#insert(write, hash);
          break;
        case 'replace':
          this.#replace(write);
          break;
        case 'revoke_token':
          this.#issuedTokens -= 1;
          this.#tokens.set(write.tokenId, { revoked: true, goodUntil: write.overlapUntil ?? undefined });
          this.#members = this.#members.map((state) => ({
            ...state,
            tokens: state.tokens.flatMap((token) => {
              if (token.id !== write.tokenId) return [token];
              return write.overlapUntil === null ? [] : [{ ...token, goodUntil: write.overlapUntil }];
            }),
          }));
          break;
        case 'cut_token':
          this.#tokens.set(write.tokenId, { revoked: true });
          this.#members = this.#members.map((state) => ({
            ...state,
            tokens: state.tokens.filter(({ id }) => id !== write.tokenId),
          }));
          break;
        case 'drop_credential':
          this.#changeMember(write.memberId, (before) => ({ ...before, credential: undefined }));
          break;
        case 'drop_provider_link':
          this.#changeMember(write.memberId, (before) => ({ ...before, provider: undefined }));
          break;
        case 'erase_evidence':
          this.#evidence.erase(write);
          break;
        case 'erase_sealed':
        case 'complete_run':
          break;
      }
    }
    this.leafIndex += entries;
    this.at += entries;
  }

  #useKey({ scope, idempotency_key: key, object_id: objectId, fingerprint }: IdempotencyRow): void {
    this.#idempotency.set(idempotencyId(scope, key), { objectId, fingerprint });
  }

  #insert(write: Insert, hash: Uint8Array): void {
    switch (write.table) {
      case 'idempotency_keys':
        this.#useKey(write.row);
        break;
      case 'otlp_calls':
        this.#calls.set(formatHex(write.row.call), write.row.record_id);
        break;
      case 'answer_records': {
        this.#created.set(write.row.id, { row: write.row, hash });
        const used = parseKeyClaim(write.row);
        if (used !== undefined) this.#useKey(used);
        break;
      }
      case 'lifecycle_events': {
        this.#holdersMoved++;
        const { record_id: recordId, sequence } = write.row;
        this.#changeRecord(recordId, (before) => ({ ...before, sequence, lastHash: `sha256:${formatHex(hash)}` }));
        break;
      }
      case 'text_expiries':
        this.#changeRecord(write.row.record_id, (before) => ({ ...before, expiries: before.expiries + 1 }));
        break;
      case 'trace_attachments':
        this.#traces.set(traceKey(write.row), write.row.id);
        break;
      case 'workspace_entries':
        if (write.row.type === 'settings_changed') this.settings = { version: write.row.seq };
        this.#series.set(write.row.type, write.row.seq);
        if (write.row.type === 'member_changed') this.#memberChanges.push(memberChangeOf(write.row.core_json, this.at));
        if (write.row.type === 'export_made') this.#exports.push({ core_json: write.row.core_json, at: this.at });
        break;
      case 'tokens':
        this.#tokens.set(write.row.id, { revoked: false });
        this.#issuedTokens += 1;
        this.#changeMember(write.row.user_id, (before) => ({
          ...before,
          tokens: [...before.tokens, { id: write.row.id, expiresAt: write.row.expires_at }],
        }));
        this.#tokenNames.set(write.row.name, { tokenId: write.row.id, expiresAt: write.row.expires_at });
        break;
      case 'approvals':
        this.#approvals.set(write.row.id, write.row.state);
        this.#openedApprovals += 1;
        break;
      case 'evidence_bindings':
      case 'evidence_links':
        this.#holdersMoved++;
        break;
      default:
        this.#evidence.insert(write);
    }
  }

  #replace({ table, row }: Replace): void {
    switch (table) {
      case 'record_states':
        this.#changeRecord(row.record_id, (before) => ({ ...before, status: row.status }));
        break;
      case 'members':
        if (this.#members.some((state) => state.row.id === row.id))
          this.#changeMember(row.id, (before) => ({ ...before, row }));
        else this.#members = [...this.#members, { row, credential: undefined, tokens: [] }];
        break;
      case 'member_credentials': {
        const credential = { entryId: row.entry_id, kind: row.password_hash === null ? 'link' : 'password' } as const;
        this.#changeMember(row.member_id, (before) => ({ ...before, credential }));
        break;
      }
      case 'provider_links': {
        const { entry_id: entryId, issuer, subject } = row;
        this.#changeMember(row.member_id, (before) => ({ ...before, provider: { entryId, issuer, subject } }));
        break;
      }
      case 'approvals':
        if (row.state !== 'open' && this.findApproval(row.id) === 'open') this.#openedApprovals -= 1;
        this.#approvals.set(row.id, row.state);
        break;
      case 'anchor_secrets':
      case 'evidence_states':
      case 'notification_states':
      case 'notification_targets':
      case 'stream_states':
      case 'streams':
        break;
    }
  }

  #changeRecord(id: string, change: (before: RecordState) => RecordState): void {
    const before = this.findRecord(id);
    if (before !== undefined) this.#records.set(id, change(before));
  }
}

/** What a `member_changed` entry says, whose time this is. */
export function memberChangeOf(coreJson: string, at: number): MemberChangeSeen {
  const { member_id: memberId, changes, actor } = memberCore.parse(parseJsonText(coreJson));
  return { memberId, changes, actor, at };
}

/** What an `export_made` entry says, whose time this is. */
function exportOf(coreJson: string, at: number): ExportSeen {
  const core = parseJsonText(coreJson);
  const pack = packExportCore.safeParse(core);
  const { actor, records, filters, approval_id: approvalId } = pack.success ? pack.data : exportCore.parse(core);
  const asked = createPackRequest.pick({ texts: true, proof_links: true }).safeParse({
    texts: filters['texts'],
    proof_links: filters['proof_links'],
  });
  // A pack without texts takes none of them out.
  const left = pack.success && asked.success && !takesTexts(asked.data) ? 0 : records;
  return { actor, records: left, at, isApproved: approvalId !== undefined };
}
