import { type RequestedAct, ServiceError } from '@answer-evidence/contracts';
import type { ApprovableAct, ApprovableActs, ApprovableKind } from '@answer-evidence/ports';

/** What does what is asked for, and by which member of the request. */
export function findAct(
  acts: ApprovableActs,
  request: RequestedAct,
): { readonly kind: ApprovableKind; readonly act: ApprovableAct } {
  const [kind] = Object.keys(request) as ApprovableKind[];
  const act = kind === undefined ? undefined : acts[kind];
  if (kind === undefined || act === undefined) throw new TypeError('nothing does what is asked for');
  return { kind, act };
}

/** Does it, and says of a refusal where it lies in the request. */
export async function placedIn<T>(kind: ApprovableKind, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.errors.length === 0) throw error;
    const { code, message, remedy } = error;
    const errors = error.errors.map(({ pointer, detail }) => ({
      pointer: pointer.startsWith('/') ? `/${kind}${pointer}` : pointer,
      detail,
    }));
    throw new ServiceError(code, message, { errors, remedy, cause: error });
  }
}
