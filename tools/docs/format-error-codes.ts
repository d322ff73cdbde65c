import { formatTable } from './format-table.ts';

/** A problem code with all that is said of it. */
type DescribedCode = {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly advice: string;
};

/** The page of all problem codes, by status and then in the order of the closed list. */
export function formatErrorCodes(codes: readonly DescribedCode[]): string {
  const rows = codes
    .toSorted((a, b) => a.status - b.status)
    .map(({ code, status, title, advice }) => [String(status), `\`${code}\``, title, advice]);
  return `# Error codes

<!-- Made from the problem codes of libs/contracts by \`npm run docs:generate\`. Do not edit. -->

Every error response is \`application/problem+json\` (RFC 9457): \`type\` (\`urn:answer-evidence:problem:<code>\`), \`title\`,
\`status\`, \`detail\`, \`code\`, \`errors\` (each a \`detail\` and a \`pointer\`: RFC 6901 into the body, \`?name\` for a query
parameter, \`{name}\` for a part of the path) and \`request_id\`, which names the request in the logs and is empty where
what came could not be read as a request. No response repeats submitted text. The list of codes is closed and only
grows: decide by \`code\`, not by \`title\` or \`detail\`.

Retry after timeouts, connection failures and 408, 429, 502, 503 and 504, with bounded exponential backoff and the same
idempotency key. A retry after any other error gets the same error until the request, the token or the resource changes.
OTLP has 503 for \`content_damaged\` too: an exporter drops its batch on a 500.

${formatTable(['status', 'code', 'meaning', 'what to do'], rows)}

To add a code, add it to \`PROBLEM_CODES\` in \`libs/contracts/src/problems.ts\`, its status and title to
\`problem-table.ts\` and its sentence to \`problem-advice.ts\` beside it, and run \`npm run docs:generate\`. A code without
a sentence or a row does not compile, and a test fails if this page differs from what that command writes.
`;
}
