/**
 * Files of `e2e/` that pass where the workspaces of their databases are spread over the nodes of Citus, which
 * `npm run suite -- citus` runs. Others look into tables past the service, or start a PostgreSQL of their own.
 */
export const ON_CITUS = [
  'evidence-bytes',
  'evidence-redaction',
  'hostile-evidence',
  'isolation',
  'lists',
  'otlp',
] as const;
