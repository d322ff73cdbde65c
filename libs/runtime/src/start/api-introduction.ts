/** What a reader of the API description needs before its first operation, in CommonMark. */
export const API_INTRODUCTION = `
Records what an application answered, so that a third party can check it later. Nothing that was recorded can be
changed unnoticed.

## The first request

\`\`\`sh
curl -s BASE_URL/api/answer-audit-logs \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"application_key":"support-bot","idempotency_key":"first-request","question":{"text":"Open on Sunday?"},"answer":{"text":"Yes."}}'
\`\`\`

The response is the record with its receipt. Read it again at \`GET /api/answer-audit-logs/{answer_log_id}\`.

## Authentication

Send \`Authorization: Bearer TOKEN\`. An application token (a JWT) belongs to one application and may do what its scopes
say. A user token may do what its user may. \`POST /api/auth/login\` gives a user token for a password, and
\`POST /api/tokens\` issues either kind. \`GET /api/whoami\` says whose a token is. \`x-access\` of an operation names
the right that it needs, and \`x-roles\` the roles of people who have it.

## Idempotency

Give every creation a key that is the same in each retry: \`idempotency_key\` in the body of an answer, or the header
\`Idempotency-Key\`. The same request again gets the first response, with the header \`Idempotency-Replayed: true\`.
Another request with the same key is 409 \`idempotency_payload_mismatch\`.

## Lists

\`size\` is the number of items of a page, at most 200. Send \`next_cursor\` of a page as \`cursor\` to get the next one,
until it is null. \`page\` counts from 1 and reaches as far as item 10,000. \`total\` is exact where \`total_relation\` is
\`eq\`, else there are at least so many.

## Errors

Every error is a problem of RFC 9457 (\`application/problem+json\`), except those of the OpenTelemetry paths, which have
the form that OTLP asks for. \`code\` is for programs, and \`detail\` says what to do. \`errors\` names each fault and its
place in the request. \`request_id\` finds the request in the logs of the service. After 429 and 503, wait for
\`Retry-After\` seconds and retry the same request.

## Names

Members are in snake case, times are RFC 3339 with an offset, and ids are UUIDs. Requests with unknown members or
parameters are refused. Responses may get new members, and lists of values marked \`x-open-values\` new values: readers
must accept both. The length of a text is counted in UTF-16 code units: an emoji counts as two, and a text that
\`maxLength\` would still allow may be refused. A schema marked \`x-asked-by\` is only sent to callers who send that
parameter.
`.trim();
