import type { ScratchCopy } from './scratch-copy.ts';

/** Adds the list of the first record of each application, with a store, a command and a page, as their recipes say. */
export function addRoute(copy: ScratchCopy): void {
  copy.replace(
    'libs/contracts/src/operations/overview.ts',
    "import { overview, overviewQuery } from '../overview.ts';",
    `import * as z from 'zod';
import { overview, overviewQuery } from '../overview.ts';
import { timestamp } from '../primitives.ts';`,
  );
  copy.replace(
    'libs/contracts/src/operations/overview.ts',
    'export const getOverview',
    `/** The first record of each application. */
const firstRecords = z.strictObject({
  items: z.array(z.strictObject({ application_key: z.string(), created_at: timestamp })),
});

${'export'} const listFirstRecords = get('/api/first-records', 'listFirstRecords', 'overview', {
  summary: 'List when each application recorded first',
  responses: { 200: { description: 'By application', schema: firstRecords } },
});

export const getOverview`,
  );
  copy.add('libs/stages/workspace/src/routes/list-first-records/handler.ts', LIST_FIRST_RECORDS);
  const stage = 'libs/stages/workspace/src/stage.ts';
  copy.replace(stage, 'import { listHashKeysRoute }', `${IMPORT_FIRST_RECORDS}import { listHashKeysRoute }`);
  copy.replace(
    stage,
    '      listHashKeysRoute(deps),',
    '      listFirstRecordsRoute(deps),\n      listHashKeysRoute(deps),',
  );
  copy.replace(
    'libs/contracts/src/examples/first-steps.ts',
    "  example('firstPolicy',",
    `  example('firstRecords', 'listFirstRecords', 200, 'When each application recorded first'),
  example('firstPolicy',`,
  );
  copy.replace(
    'tools/scenery/route-table.ts',
    "  'GET /api/overview': {",
    "  'GET /api/first-records': { ...using, ...kept },\n  'GET /api/overview': {",
  );
  copy.replace('libs/client/src/overview.ts', 'import { getOverview }', 'import { getOverview, listFirstRecords }');
  copy.replace(
    'libs/client/src/overview.ts',
    '    get: async',
    '    firstRecords: async () => call(listFirstRecords, {}),\n    get: async',
  );
  copy.add('libs/ports/src/first-records.ts', FIRST_RECORD_STORE);
  const stores = 'libs/ports/src/all-stores.ts';
  copy.replace(
    stores,
    "export * from './holds.ts';",
    "export * from './first-records.ts';\nexport * from './holds.ts';",
  );
  copy.replace(
    stores,
    "import type { HoldStore } from './holds.ts';",
    "import type { FirstRecordStore } from './first-records.ts';\nimport type { HoldStore } from './holds.ts';",
  );
  copy.replace(
    stores,
    '  readonly holds: HoldStore;',
    '  readonly firstRecords: FirstRecordStore;\n  readonly holds: HoldStore;',
  );
  copy.add('libs/adapters/postgres/src/stores/first-record-store.ts', POSTGRES_FIRST_RECORDS);
  const made = 'libs/adapters/postgres/src/create-stores.ts';
  copy.replace(
    made,
    'import { createHoldStore }',
    "import { createFirstRecordStore } from './stores/first-record-store.ts';\nimport { createHoldStore }",
  );
  copy.replace(
    made,
    '    holds: createHoldStore(pool),',
    '    firstRecords: createFirstRecordStore(pool),\n    holds: createHoldStore(pool),',
  );
  addFirstRecordsPage(copy);
  addFirstRecordsCommand(copy);
}

function addFirstRecordsPage(copy: ScratchCopy): void {
  copy.add('apps/console/src/pages/first-records/first-records-page.tsx', FIRST_RECORDS_PAGE);
  const router = 'apps/console/src/shell/router.tsx';
  copy.replace(
    router,
    'const log = page(',
    `const firsts = page(
  '/first-records',
  { menu: ['trust', 'history'], right: 'overview' },
  lazyRouteComponent(() => import('../pages/first-records/first-records-page.tsx'), 'FirstRecordsPage'),
);
const log = page(`,
  );
  copy.replace(router, 'root.addChildren([\n', 'root.addChildren([\n    firsts,\n');
  for (const [language, title] of [
    ['en', 'First records'],
    ['de', 'Erste Antworten'],
  ] as const)
    copy.replace(
      `apps/console/src/locales/${language}.json`,
      '    "opentelemetry": ',
      `    "first-records": "${title}",\n    "opentelemetry": `,
    );
}

function addFirstRecordsCommand(copy: ScratchCopy): void {
  const records = 'apps/cli/src/commands/records.ts';
  copy.replace(
    records,
    'import { formatJsonText }',
    "import { asTable } from '../output/blocks.ts';\nimport { formatJsonText }",
  );
  copy.replace(
    records,
    '  addListCommand(records, context);\n',
    `  addListCommand(records, context);
  records
    .command('firsts')
    .description('list when each application recorded first')
    .action(async () => {
      const found = await (await context.connect()).overview.firstRecords();
      const rows = found.items.map((one) => [one.application_key, one.created_at]);
      context.show({ json: found, blocks: () => [asTable(['application', 'first'], rows)] });
    });
`,
  );
}

const IMPORT_FIRST_RECORDS = "import { listFirstRecordsRoute } from './routes/list-first-records/handler.ts';\n";

const LIST_FIRST_RECORDS = `import { listFirstRecords } from '@answer-evidence/contracts/operations';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';

/** \`GET /api/first-records\`: when each application recorded first. */
${'export'} function listFirstRecordsRoute({ firstRecords }: Pick<WorkspaceDeps, 'firstRecords'>): Route {
  return defineRoute({
    ...listFirstRecords,
    async handle({ caller }) {
      const found = await firstRecords.list(authenticatedUser(caller).workspaceId);
      const items = found.map(({ applicationKey, createdAt }) => ({
        application_key: applicationKey,
        created_at: new Date(createdAt / 1000).toISOString(),
      }));
      return { status: 200, body: { items } };
    },
  });
}
`;

const FIRST_RECORD_STORE = `/** When applications recorded first. Throws \`ledger_unavailable\`. */
${'export'} interface FirstRecordStore {
  /** By application; in microseconds. */
  list(workspaceId: string): Promise<readonly { readonly applicationKey: string; readonly createdAt: number }[]>;
}
`;

const POSTGRES_FIRST_RECORDS = `import type pg from 'pg';
import type { FirstRecordStore } from '@answer-evidence/ports';
import { readRows } from '../session.ts';

/** When applications recorded first, in PostgreSQL. */
${'export'} function createFirstRecordStore(pool: pg.Pool): FirstRecordStore {
  return {
    async list(workspaceId) {
      const rows = await readRows<{ application_key: string; created_at: number }>(
        pool,
        'first_records',
        \`select application_key, min(created_at) as created_at from answer_evidence.answer_records
           where workspace_id = $1 group by 1 order by 1\`,
        [workspaceId],
      );
      return rows.map((row) => ({ applicationKey: row.application_key, createdAt: row.created_at }));
    },
  };
}
`;

const FIRST_RECORDS_PAGE = `import { useTranslation } from 'react-i18next';
import { Loaded } from '../../components/loaded.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';

/** When each application recorded first. */
${'export'} function FirstRecordsPage() {
  const { t } = useTranslation();
  const query = useWorkspaceQuery(['first-records'], (client) => client.overview.firstRecords());
  return (
    <>
      <PageHead title={t('navigation.first-records')} />
      <Loaded query={query}>
        {({ items }) => (
          <ul>
            {items.map(({ application_key: key, created_at: at }) => (
              <li key={key}>
                <PlainText text={key} /> <Time at={at} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
}
`;
