import { isTokenAnchor } from '@answer-evidence/contracts';
import type { StoredAnchor, TrustStore } from '@answer-evidence/ports';
import { confirmationOf } from '../anchoring/anchor-state.ts';
import type { TrustDeps } from '../deps.ts';
import { findOpenRenewals, parseRenewalId, readRenewal } from '../renewing/stored-renewal.ts';

type Deps = { readonly trust: TrustStore } & Pick<TrustDeps, 'extractToken'>;

/** Whether the time-stamps of a log will go on being renewed. */
type RenewalStanding = {
  /** Whether its policy has a time-stamping authority. */
  readonly hasAuthority: boolean;
  /**
   * When the certificate ends that ends last, of the newest token of each authority of the policy (µs): from then on no
   * authority can renew. Undefined where none is known.
   */
  readonly endsAt: number | undefined;
  readonly failing: FailingRenewal | undefined;
};

/** A renewal that is due, and whose last attempt has failed. */
type FailingRenewal = {
  readonly name: string;
  readonly attempts: number;
  readonly lastError: string;
  /** When it was begun, and when the first certificate ends of what it covers (µs). */
  readonly since: number;
  readonly until: number | undefined;
};

/** Anchors that are looked at for a token of each authority: some rounds of them. */
const ANCHORS_MAX = 60;

/** Reads how the renewals of a log stand, from stored rows only. */
export async function readRenewalStanding(
  { trust, extractToken }: Deps,
  workspaceId: string,
): Promise<RenewalStanding> {
  const { values } = await trust.policy(workspaceId);
  const authorities = values.anchors.filter(isTokenAnchor).map(({ id }) => id);
  if (authorities.length === 0) return { hasAuthority: false, endsAt: undefined, failing: undefined };
  const renewals = await trust.renewals(workspaceId);
  const newest = await trust.newestAnchors(workspaceId);
  const isThere = (id: string) =>
    newest.some((one) => one.anchor.anchor_id === id && confirmationOf(one) !== undefined);
  const rounds = authorities.every(isThere)
    ? newest
    : (await trust.listAnchors(workspaceId, { offset: 0, limit: ANCHORS_MAX })).items;
  const ends = authorities.flatMap((id) => endOf(id, [...rounds, ...renewals]) ?? []);
  return {
    hasAuthority: true,
    endsAt: ends.length === 0 ? undefined : Math.max(...ends),
    failing: findFailingRenewal(renewals, extractToken),
  };
}

/** When the certificate ends with which an authority made its newest token. */
function endOf(authority: string, stored: readonly StoredAnchor[]): number | null | undefined {
  const own = stored.filter(({ anchor }) => parseRenewalId(anchor.anchor_id).anchorId === authority);
  const made = own.flatMap((one) => confirmationOf(one) ?? []);
  return made.toSorted((a, b) => a.at - b.at).findLast(({ ends_at: end }) => end !== null)?.ends_at;
}

/** The newest renewal that may still be confirmed, if its last attempt has failed. */
export function findFailingRenewal(
  renewals: readonly StoredAnchor[],
  extractToken: TrustDeps['extractToken'],
): FailingRenewal | undefined {
  const last = findOpenRenewals(renewals, extractToken).at(-1);
  const failed = last?.attempts.at(-1);
  if (last === undefined || failed === undefined) return undefined;
  const { anchor_id: name, created_at: since } = last.anchor;
  const until = readRenewal(last).endsAt ?? undefined;
  return { name, since, until, attempts: last.attempts.length, lastError: failed.detail };
}
