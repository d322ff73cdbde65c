import { ServiceError } from '@answer-evidence/contracts';

/** The filters, narrowed to the caller's application. Throws `application_not_allowed` when it asks for another. */
export function narrowed<Filters extends { readonly application_key?: string | undefined }>(
  filters: Filters,
  bound: string | undefined,
): Filters {
  if (bound === undefined) return filters;
  if (filters.application_key !== undefined && filters.application_key !== bound)
    throw new ServiceError(
      'application_not_allowed',
      'the token is bound to another application key; use a token of the application in question',
    );
  return { ...filters, application_key: bound };
}
