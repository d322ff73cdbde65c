import { assertApplication, boundsOf, type Caller } from '@answer-evidence/access';
import { type Belonging, isLimited, isWithin, type Limits, NO_LIMITS, type Within } from '@answer-evidence/contracts';

/** The filters by which a list is narrowed. */
type Asked = { readonly application_key?: string | undefined; readonly environment?: string | undefined };

/**
 * The filters of a list, narrowed to what the caller may see. A single application or environment becomes a filter, so
 * that the list is as fast as one that asked for it. Throws `application_not_allowed` when it asks for another: an
 * empty list would say that there is nothing.
 */
export function narrowed<Filters extends Asked>(filters: Filters, caller: Caller): Filters & Within {
  const bounds = boundsOf(caller);
  if (bounds === undefined) return filters;
  assertApplication(caller, named(filters, bounds));
  const [application, applications] = chosen(filters.application_key, bounds.applications);
  const [environment, environments] = chosen(filters.environment, bounds.environments);
  const within = { applications, environments };
  return {
    ...filters,
    ...(application === undefined ? {} : { application_key: application }),
    ...(environment === undefined ? {} : { environment }),
    ...(isLimited(within) ? { within } : {}),
  };
}

/** Whether everything that filters name is within what the caller may see. */
export function mayAsk(filters: Asked, caller: Caller): boolean {
  const bounds = boundsOf(caller) ?? NO_LIMITS;
  return isWithin(bounds, named(filters, bounds));
}

/** What the filters name; of what they leave open, something that is allowed. */
function named(
  { application_key: application, environment }: Asked,
  { applications, environments }: Limits,
): Belonging {
  return {
    application_key: application ?? applications?.[0] ?? '',
    environment: environment ?? environments?.[0],
  };
}

/** The one value that is left, or the values that are. */
function chosen(
  asked: string | undefined,
  allowed: readonly string[] | null,
): readonly [string | undefined, readonly string[] | null] {
  if (asked !== undefined || allowed === null) return [asked, null];
  return allowed.length === 1 ? [allowed[0], null] : [undefined, allowed];
}
