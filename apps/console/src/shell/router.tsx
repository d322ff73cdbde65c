import {
  type AnyRoute,
  type AsyncRouteComponent,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { CONSOLE_PATH } from '../api/place.ts';
import { ErrorState } from '../components/error-state.tsx';
import { Waiting } from '../components/waiting.tsx';
import { withLaterTexts } from '../locales/open-catalogue.ts';
import type { PageFacts } from './menu.ts';
import { NotFoundPage } from './not-found-page.tsx';
import { pickTexts } from './search.ts';
import { Shell } from './shell.tsx';

// Every page is a file of its own, loaded when it is first opened. Whatever a page filters by is in its address, as
// plain texts; a page reads `useSearch`, and writes with `useNavigate`.
const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage });

function page<const Path extends string>(path: Path, staticData: PageFacts, component: AsyncRouteComponent<object>) {
  return createRoute({ getParentRoute: () => root, path, validateSearch: pickTexts, staticData, component });
}

const home = page(
  '/',
  { menu: ['first', 'gauge'] },
  lazyRouteComponent(() => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
);
const records = page(
  '/records',
  { menu: ['first', 'page'], right: 'records.read' },
  lazyRouteComponent(() => import('../pages/records/records-page.tsx'), 'RecordsPage'),
);
const runs = page(
  '/reconciliation',
  { menu: ['first', 'checks'], right: 'reconciliations.read' },
  lazyRouteComponent(() => withLaterTexts(import('../pages/reconciliation/runs-page.tsx')), 'RunsPage'),
);
const assets = page(
  '/evidence',
  { menu: ['first', 'pages'], right: 'evidence.read' },
  lazyRouteComponent(() => withLaterTexts(import('../pages/evidence/assets-page.tsx')), 'AssetsPage'),
);
const trust = page(
  '/trust',
  { menu: ['trust', 'shield'], right: 'trust.read' },
  lazyRouteComponent(() => withLaterTexts(import('../pages/trust/trust-page.tsx')), 'TrustPage'),
);
const holds = page(
  '/holds',
  { menu: ['trust', 'lock'], right: 'holds.read' },
  lazyRouteComponent(() => withLaterTexts(import('../pages/holds/holds-page.tsx')), 'HoldsPage'),
);
const log = page(
  '/log',
  { menu: ['trust', 'history'], right: 'entries.read' },
  lazyRouteComponent(() => withLaterTexts(import('../pages/log/log-page.tsx')), 'LogPage'),
);
const otel = page(
  '/opentelemetry',
  { menu: ['sources', 'path'], right: 'telemetry.read' },
  lazyRouteComponent(() => withLaterTexts(import('../pages/otel/otel-page.tsx')), 'OtelPage'),
);
const tokens = page(
  '/tokens',
  { menu: ['sources', 'key'], right: 'tokens.own' },
  lazyRouteComponent(() => withLaterTexts(import('../pages/tokens/tokens-page.tsx')), 'TokensPage'),
);
const start = page(
  '/start',
  { menu: ['sources', 'flag'], right: 'tokens.applications' },
  lazyRouteComponent(() => withLaterTexts(import('../pages/start/start-page.tsx')), 'StartPage'),
);
const members = page(
  '/members',
  { menu: ['workspace', 'people'], right: 'members.read' },
  lazyRouteComponent(() => withLaterTexts(import('../pages/members/members-page.tsx')), 'MembersPage'),
);
const approvals = page(
  '/approvals',
  { menu: ['workspace', 'check'], right: 'approvals.read' },
  lazyRouteComponent(() => withLaterTexts(import('../pages/approvals/approvals-page.tsx')), 'ApprovalsPage'),
);
const notifications = page(
  '/notifications',
  { menu: ['workspace', 'bell'], right: 'notifications' },
  lazyRouteComponent(
    () => withLaterTexts(import('../pages/notifications/notifications-page.tsx')),
    'NotificationsPage',
  ),
);
const myNotifications = page(
  '/my-notifications',
  { menu: ['workspace', 'bell'], right: 'notifications.own' },
  lazyRouteComponent(
    () => withLaterTexts(import('../pages/notifications/my-notifications-page.tsx')),
    'MyNotificationsPage',
  ),
);
const streams = page(
  '/streams',
  { menu: ['workspace', 'send'], right: 'streams' },
  lazyRouteComponent(() => withLaterTexts(import('../pages/streams/streams-page.tsx')), 'StreamsPage'),
);
const settings = page(
  '/settings',
  { menu: ['workspace', 'sliders'], right: 'settings.read' },
  lazyRouteComponent(() => withLaterTexts(import('../pages/settings/settings-page.tsx')), 'SettingsPage'),
);
const record = page(
  '/records/$recordId',
  { right: 'records.read' },
  lazyRouteComponent(() => import('../pages/records/record-page.tsx'), 'RecordPage'),
);
const entry = page(
  '/log/$entryId',
  { right: 'entries.read' },
  lazyRouteComponent(() => withLaterTexts(import('../pages/log/entry-page.tsx')), 'EntryPage'),
);
const device = page(
  '/device',
  {},
  lazyRouteComponent(() => withLaterTexts(import('../pages/device/device-page.tsx')), 'DevicePage'),
);
const newRun = page(
  '/reconciliation/new',
  { right: 'reconciliations.run' },
  lazyRouteComponent(() => withLaterTexts(import('../pages/reconciliation/new-run-page.tsx')), 'NewRunPage'),
);
const run = page(
  '/reconciliation/$runId',
  { right: 'reconciliations.read' },
  lazyRouteComponent(() => withLaterTexts(import('../pages/reconciliation/run-page.tsx')), 'RunPage'),
);
const upload = page(
  '/evidence/new',
  { right: 'evidence.create' },
  lazyRouteComponent(() => withLaterTexts(import('../pages/evidence/upload-page.tsx')), 'UploadPage'),
);
const asset = page(
  '/evidence/$assetId',
  { right: 'evidence.read' },
  lazyRouteComponent(() => withLaterTexts(import('../pages/evidence/asset-page.tsx')), 'AssetPage'),
);

/** Every page of the console and its address. The menu has them in this order. */
export const router = createRouter({
  routeTree: root.addChildren([
    home,
    records,
    runs,
    assets,
    trust,
    holds,
    log,
    otel,
    tokens,
    start,
    members,
    approvals,
    notifications,
    myNotifications,
    streams,
    settings,
    record,
    entry,
    device,
    newRun,
    run,
    upload,
    asset,
  ]),
  basepath: CONSOLE_PATH,
  // Values of the address are texts: an id that looks like a number stays as it is.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (values) => {
    const text = new URLSearchParams(pickTexts(values)).toString();
    return text === '' ? '' : `?${text}`;
  },
  defaultPendingComponent: Waiting,
  defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} />,
  scrollRestoration: true,
});

/** Begins to load the page at the address of the browser, before anybody is known to be signed in. */
export async function loadPage(): Promise<void> {
  const routes: Readonly<Record<string, AnyRoute>> = router.routesById;
  const matched: readonly { readonly routeId: string }[] = router.matchRoutes(router.latestLocation);
  // What fails here is asked for again when the page is shown, which says so.
  await Promise.allSettled(
    matched.map(async ({ routeId }) => {
      const route = routes[routeId];
      if (route !== undefined) await router.loadRouteChunk(route);
    }),
  );
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
