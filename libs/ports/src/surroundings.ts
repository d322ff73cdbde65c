/** What a check came to. The text of what is broken says what to change; that of the others, what was seen. */
export type CheckResult = {
  readonly kind: 'fine' | 'broken' | 'skipped';
  readonly text: string;
};

/**
 * One check of something that the service needs and does not make. It is decided from facts that were read at once, so
 * a new check is one more value in a list, and a test needs no server.
 */
export type SurroundingCheck<Facts> = {
  /** The part and what is checked of it, such as `database.version`. */
  readonly name: string;
  /** What a fault means: `refuse` keeps the service from starting, `warn` is told and the service starts. */
  readonly severity: 'refuse' | 'warn';
  /** How somebody finds the same out by hand. */
  readonly foundBy: string;
  judge(facts: Facts): CheckResult;
};

/** A check with what it came to. */
export type Finding = {
  readonly name: string;
  readonly outcome: 'PASS' | 'WARN' | 'FAIL' | 'SKIP';
  readonly text: string;
};

/** Nothing is wrong. */
export function fine(seen: string): CheckResult {
  return { kind: 'fine', text: seen };
}

/** Somebody has to change something. */
export function fault(sentence: string): CheckResult {
  return { kind: 'broken', text: sentence };
}

/** The check says nothing here. */
export function skipped(reason: string): CheckResult {
  return { kind: 'skipped', text: reason };
}

/** Makes every check on the same facts, in the order of the list. */
export function judgeSurroundings<Facts>(checks: readonly SurroundingCheck<Facts>[], facts: Facts): readonly Finding[] {
  return checks.map((check) => {
    const { kind, text } = check.judge(facts);
    const outcome = { fine: 'PASS', skipped: 'SKIP', broken: check.severity === 'refuse' ? 'FAIL' : 'WARN' } as const;
    return { name: check.name, outcome: outcome[kind], text };
  });
}

const CLOCK_SKEW_MS_MAX = 5_000;

/** Compares the clock of a server with that of this machine; `skewMs` is how far the server's is ahead. */
export function judgeClockSkew(skewMs: number | undefined, server: string): CheckResult {
  if (skewMs === undefined) return skipped(`${server} does not tell its time`);
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  if (Math.abs(skewMs) <= CLOCK_SKEW_MS_MAX) return fine(`differs by ${seconds} s`);
  return fault(
    `the clock of ${server} is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the clock of this machine; ` +
      'set both by NTP',
  );
}

/** Whether a host is this machine, so that nobody can listen on the way to it. */
export function isThisMachine(host: string): boolean {
  return host === '' || host.startsWith('/') || /^(localhost|127\.[\d.]+|::1|\[::1\])$/i.test(host);
}
