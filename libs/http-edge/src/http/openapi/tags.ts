import type { Route } from '@answer-evidence/routes';
import type { OpenApiObject } from './json-objects.ts';

type Tag = {
  readonly name: string;
  readonly description: string;
  /** How paths of its operations begin; of several tags, the longest beginning tells. */
  readonly paths: readonly string[];
};

const RECORD = '/api/answer-audit-logs/{answer_log_id}';

/** The groups of operations, in the order in which a reader needs them. */
const TAGS: readonly Tag[] = [
  {
    name: 'Answers',
    description: 'Record an answer, find it again, and append what became of it.',
    paths: ['/api/answer-audit-logs', '/api/search'],
  },
  {
    name: 'Evidence',
    description: 'Keep what answers are made of, and bind it into them.',
    paths: ['/api/evidence-assets', `${RECORD}/evidence-assets`],
  },
  {
    name: 'OpenTelemetry',
    description: 'Receive answers and traces from OpenTelemetry exporters (OTLP over HTTP).',
    paths: ['/api/answer-audit-logs/otel'],
  },
  {
    name: 'Proofs',
    description: 'Verify a record, take a proof away, and read the log that holds it.',
    paths: [`${RECORD}/ledger`, `${RECORD}/proof-links`, '/api/proof-links', '/proof', '/api/trust', '/tlog'],
  },
  {
    name: 'Reconciliation',
    description: 'Compare what an application says it answered with what was recorded.',
    paths: ['/api/reconciliations'],
  },
  {
    name: 'Sign-in and tokens',
    description: 'Sign in, and issue, rotate and revoke tokens.',
    paths: ['/api/auth', '/auth', '/api/tokens', '/api/whoami', '/.well-known/jwks.json'],
  },
  { name: 'Members', description: 'Say who belongs to the workspace, and as what.', paths: ['/api/members'] },
  {
    name: 'Approvals',
    description: 'Ask for what a second person must approve, and decide about what others ask for.',
    paths: ['/api/approvals'],
  },
  { name: 'Settings', description: 'Decide what is kept, for how long, and under which keys.', paths: ['/api/tenant'] },
  {
    name: 'Failed jobs',
    description: 'Look at work that was given up, and have it tried again.',
    paths: ['/api/dead'],
  },
  { name: 'This API', description: 'What this host is, and what it understands.', paths: ['/'] },
];

/** The group of a path. */
export function tagOf(path: string): string {
  return findTag(path).name;
}

/** The routes in the order of their groups; inside of a group they stay as they were. */
export function sortByTag(routes: readonly Route[]): readonly Route[] {
  return routes.toSorted((a, b) => TAGS.indexOf(findTag(a.path)) - TAGS.indexOf(findTag(b.path)));
}

/** The groups that the routes are in. */
export function tagsOf(routes: readonly Route[]): readonly OpenApiObject[] {
  const used = new Set(routes.map(({ path }) => findTag(path)));
  return TAGS.filter((tag) => used.has(tag)).map(({ name, description }) => ({ name, description }));
}

function findTag(path: string): Tag {
  const reach = ({ paths }: Tag): number =>
    Math.max(0, ...paths.filter((start) => path.startsWith(start)).map(({ length }) => length));
  return TAGS.reduce((best, tag) => (reach(tag) > reach(best) ? tag : best));
}
