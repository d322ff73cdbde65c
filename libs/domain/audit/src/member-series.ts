import type { MemberCore, ProviderLink } from '@answer-evidence/contracts';
import { canonicalize, formatTimestamp } from '@answer-evidence/encoding';
import type { LeafRow } from '@answer-evidence/tables';
import { assertSame, CheckFailure } from '@answer-evidence/verify/verdict';

/** Which entry made a member's credential, and of which kind. */
export type StatedCredential = { readonly entryId: string; readonly kind: 'password' | 'link' };

/** Who a member is at an OpenID provider, and which entry said so. */
export type StatedProvider = ProviderLink & { readonly entryId: string };

/** A member as the log has left them. */
type StatedMember = {
  readonly core: MemberCore;
  readonly leafIndex: number;
  readonly credential: StatedCredential | undefined;
  readonly provider: StatedProvider | undefined;
};

/** What the entries of a log say about its members, in the order of the log. */
export class MemberSeries {
  readonly #members = new Map<string, StatedMember>();
  #isFinding = true;

  get members(): ReadonlyMap<string, StatedMember> {
    return this.#members;
  }

  /** Takes in an entry. Throws `CheckFailure` when it cannot follow the entries before it; it counts all the same. */
  add(core: MemberCore, leaf: LeafRow): void {
    const before = this.#members.get(core.member_id);
    const mayFind = this.#isFinding;
    this.#isFinding &&= core.changes.includes('found');
    this.#members.set(core.member_id, {
      core,
      leafIndex: leaf.leaf_index,
      credential: credentialAfter(core, before?.credential),
      provider: providerAfter(core, before?.provider),
    });
    assertSame('its seq', core.version, leaf.seq);
    if (before === undefined) this.#checkFirst(core, leaf, mayFind);
    else checkNext(before.core, core, leaf);
  }

  #checkFirst(core: MemberCore, leaf: LeafRow, mayFind: boolean): void {
    assertSame('the version of a first entry', 1, core.version);
    if (core.provider !== undefined && !core.changes.includes('provider_linked'))
      throw new CheckFailure('it adds a member who is linked to a subject');
    const [first, ...rest] = core.changes;
    // Only a log that had named no member when it was first looked at may have found any.
    if (first === 'found' && rest.length === 0 && mayFind) return;
    if (first !== 'added') throw new CheckFailure('it changes a member that no entry added');
    assertSame('its created_at', formatTimestamp(leaf.at), core.created_at);
    if (core.disabled_at !== null || core.removed_at !== null)
      throw new CheckFailure('it adds a member who is disabled or removed');
  }
}

function checkNext(before: MemberCore, core: MemberCore, leaf: LeafRow): void {
  assertSame('the version', before.version + 1, core.version);
  assertSame('the name', before.username, core.username);
  assertSame('its created_at', before.created_at, core.created_at);
  if (before.removed_at !== null) throw new CheckFailure('it changes a member who was removed');
  const at = formatTimestamp(leaf.at);
  const said = (change: MemberCore['changes'][number]) => core.changes.includes(change);
  if (said('added') || said('found')) throw new CheckFailure('it adds a member who already exists');
  assertSame('whether its role has changed', String(said('role_changed')), String(before.role !== core.role));
  const accessOf = ({ access }: MemberCore) => (access === undefined ? 'none' : canonicalize(access));
  assertSame(
    'whether its access has changed',
    String(said('access_changed')),
    String(accessOf(before) !== accessOf(core)),
  );
  assertSame(
    'whether its source of the role has changed',
    String(said('role_source_changed')),
    String(before.role_source !== core.role_source),
  );
  const expected = said('disabled') ? at : said('enabled') ? null : before.disabled_at;
  assertSame('its disabled_at', String(expected), String(core.disabled_at));
  assertSame('its removed_at', String(said('removed') ? at : null), String(core.removed_at));
  checkLinked(before, core);
}

function checkLinked(before: MemberCore, core: MemberCore): void {
  const said = (change: MemberCore['changes'][number]) => core.changes.includes(change);
  if (said('provider_linked')) {
    if (core.provider === undefined || said('provider_unlinked') || said('removed'))
      throw new CheckFailure('it links a member to no subject');
    return;
  }
  if (said('provider_unlinked') && before.provider === undefined)
    throw new CheckFailure('it unlinks a member who was not linked');
  const left = said('provider_unlinked') || said('removed') ? undefined : before.provider;
  assertSame('the subject that it is linked to', textOf(left), textOf(core.provider));
}

function textOf(provider: MemberCore['provider']): string {
  return provider === undefined ? 'none' : `${provider.issuer} ${provider.subject}`;
}

function credentialAfter(core: MemberCore, before: StatedCredential | undefined): StatedCredential | undefined {
  if (core.changes.includes('removed')) return undefined;
  if (core.changes.includes('password_set')) return { entryId: core.id, kind: 'password' };
  if (core.changes.includes('password_link_issued')) return { entryId: core.id, kind: 'link' };
  return before;
}

function providerAfter(core: MemberCore, before: StatedProvider | undefined): StatedProvider | undefined {
  const { provider } = core;
  if (provider === undefined) return undefined;
  const entryId = core.changes.includes('provider_linked') ? core.id : (before?.entryId ?? core.id);
  return { ...provider, entryId };
}
