import type { LedgerCheckProgress, LedgerCheckReport } from '@answer-evidence/contracts';
import { checkLedger } from '@answer-evidence/contracts/operations';
import { utf8 } from '@answer-evidence/encoding';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';

/** `POST /api/trust/ledger-checks`: re-derives the ledger of the workspace and names every fault. */
export function checkLedgerRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...checkLedger,
    async handle({ query, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const isSince = query.since !== undefined;
      if (query.format === undefined) return { status: 200, body: await deps.checkLedger(workspace, { isSince }) };
      const bytes = writeLines((onProgress) => deps.checkLedger(workspace, { isSince, onProgress }));
      return { status: 200, contentType: 'application/jsonl; charset=utf-8', stream: { bytes } };
    },
  });
}

/** The newest progress whenever the caller has taken the line before, and at last the report. */
async function* writeLines(
  check: (onProgress: (progress: LedgerCheckProgress) => void) => Promise<LedgerCheckReport>,
): AsyncGenerator<Uint8Array> {
  let newest: LedgerCheckProgress | undefined;
  let wake: (() => void) | undefined;
  const report = check((progress) => {
    newest = progress;
    wake?.();
  });
  // It is awaited below, unless the caller leaves before: then nobody wants to know.
  const ended = report.then(
    () => true,
    () => true,
  );
  for (let isOver = false; !isOver;) {
    const told = new Promise<boolean>((resolve) => (wake = () => resolve(false)));
    const line = newest;
    newest = undefined;
    if (line === undefined) isOver = await Promise.race([ended, told]);
    else yield writeLine(line);
  }
  yield writeLine({ kind: 'report', report: await report });
}

function writeLine(line: object): Uint8Array {
  return utf8(`${JSON.stringify(line)}\n`);
}
