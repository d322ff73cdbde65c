import { MEMBER_ROLES, type MemberRole } from '@answer-evidence/contracts';
import { ACCESS_MATRIX, limitOf, type Operation, type OperationLimit } from '@answer-evidence/contracts/operations';
import { formatTable } from './format-table.ts';

/** The columns of roles, as narrow as their names allow. */
const COLUMNS: Readonly<Record<MemberRole, string>> = {
  manager: 'manager',
  member: 'member',
  reviewer: 'reviewer',
  application_operator: 'operator',
  auditor: 'auditor',
  read_only: 'read-only',
};

const LIMITS: Readonly<Record<OperationLimit, string>> = {
  own: 'their own',
  application: 'by application',
  workspace: 'no',
  none: 'all',
};

/** The page of roles: who may call which operation. */
export function formatRoles(operations: readonly Operation[]): string {
  const rows = operations.flatMap(({ method, path, summary, access, operationId }) => {
    if (access === 'public') return [];
    const { application, people } = ACCESS_MATRIX[access];
    return [
      [
        `\`${method} ${path}\``,
        summary,
        ...MEMBER_ROLES.map((role) => (people.includes(role) ? 'yes' : '')),
        LIMITS[limitOf(operationId)],
        application === null ? '' : application === 'any' ? 'any' : `\`${application}\``,
      ],
    ];
  });
  return `# Roles

<!-- Made from the operations and the access matrix of libs/contracts by \`npm run docs:generate\`. Do not edit. -->

Each member of a workspace has one role. It decides what they may do by API, command line and console.

${formatTable(
  ['role', 'is for'],
  [
    ['`manager`', 'people who run the workspace: everything'],
    ['`member`', 'people who work with answers: they record, read and reconcile, and change no record'],
    ['`reviewer`', 'people who check answers: they read, correct, and work on what reconciliation found'],
    [
      '`application_operator`',
      'people who run applications: tokens, and what became of their telemetry. They read no record and no text, so they ' +
        'issue and rotate no token with a scope that reads',
    ],
    [
      '`auditor`',
      'people who check the service: proofs, packs without texts, entries of the log, ledger checks, settings and ' +
        'members. They read no text, under any reading rule and for any reason',
    ],
    ['`read_only`', 'people who look things up: they read what members read, and change nothing'],
  ],
)}

Texts leave by the [reading rule](glossary.md#reading) of the workspace, whatever the role.

## Limits

Every role but \`manager\` can be limited to applications, to environments, or to both:

\`\`\`sh
npx answer-evidence members add ada --role reviewer --application support-bot --environment production
npx answer-evidence members role ada auditor
\`\`\`

In the API it is \`access\` of \`POST /api/members\` and \`PATCH /api/members/{member_id}\`: \`role\`, \`applications\` and
\`environments\`, of which null is all. \`role\` beside it is \`manager\` or \`member\`, as in earlier releases: everybody
but a manager is a \`member\` there. An operator of applications cannot be limited to environments, since a token of an
application is for all of them.

The column "limited" of the table below says what an operation is to somebody with limits:

- **their own**: lists, counts and searches show what is within the limits, and anything else is 403
  \`application_not_allowed\`;
- **by application**: the same by application. What it is about has no environment, so it is refused to people who are
  limited to environments;
- **no**: it is about the whole workspace, and refused;
- **all**: it holds nothing of any application.

## When a role changes

A manager changes it, or the [groups](deployment.md#roles-by-groups) of the member at an OpenID provider do, at their
next sign-in. Each change is a \`member_changed\` [entry of the log](formats/log.md). If it takes anything from the
member, their tokens end with it, and sessions of the console end with every change. Every process obeys within 5 s,
and no write waits for that: everything that is an entry of the log (records, evidence, corrections, readings, exports,
packs, links, tokens, changes of settings, policy, streams, notifications or members) is decided against the log, with
the role and the limits as they are in it, and one that comes after the change is refused. Runs of reconciliation,
their triage, views and dead letters are decided by the member's row, which is read right before. Tokens of
applications stay when the person who issued them gets another role: revoke them if you want that.

A refusal is 403 \`role_not_allowed\` or \`application_not_allowed\`. Its \`detail\` says which roles may, and what the
member who asks is limited to. A member with limits learns nothing of other records from a search for words: words that
only those have are unknown, and no similar word is taken from them. Findings are assigned only to members who can work
on those of their application and environment.

## Who may do what

${formatTable(['request', 'to', ...Object.values(COLUMNS), 'limited', 'scope of an application token'], rows)}
`;
}
