import { type CheckResult, fault, type Finding } from '@answer-evidence/ports';

/** A finding of one thing that is looked at by itself; what it throws is a fault. */
export async function look(name: string, action: () => Promise<CheckResult>, explain = (error: unknown) => error) {
  return findingOf(name, await action().catch((error: unknown) => fault(wordsOf(explain(error)))));
}

/** A result of a check, which refuses if it is bad, as a finding. */
export function findingOf(name: string, { kind, text }: CheckResult): Finding {
  return { name, outcome: ({ fine: 'PASS', broken: 'FAIL', skipped: 'SKIP' } as const)[kind], text };
}

/** Errors that were made for people say what to do; of others the name and the code are all that may be shown. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed for an unknown reason';
  if (
    /^(StartError|RedisRefusedError|BucketRefusedError|HeadError|DatabaseSetupError|PlatformCredentialsError)$/.test(
      error.name,
    )
  )
    return error.message;
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return `failed with ${error.name}${code}`;
}

/** Makes one finding of an action. */
export type Look = typeof look;
