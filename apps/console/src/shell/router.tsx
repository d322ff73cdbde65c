import { type AnyRoute, createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { CONSOLE_PATH } from '../api/place.ts';
import { ErrorState } from '../components/error-state.tsx';
import { Waiting } from '../components/waiting.tsx';
import { withLaterTexts } from '../locales/open-catalogue.ts';
import { NotFoundPage } from './not-found-page.tsx';
import { pickTexts } from './search.ts';
import { Shell } from './shell.tsx';

// Every page is a file of its own, loaded when it is first opened. Whatever a page filters by is in its address, as
// plain texts; a page reads `useSearch`, and writes with `useNavigate`.
const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: pickTexts,
  component: lazyRouteComponent(() => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
});
const records = createRoute({
  getParentRoute: () => root,
  path: '/records',
  validateSearch: pickTexts,
  component: lazyRouteComponent(() => import('../pages/records/records-page.tsx'), 'RecordsPage'),
});
const record = createRoute({
  getParentRoute: () => root,
  path: '/records/$recordId',
  component: lazyRouteComponent(() => import('../pages/records/record-page.tsx'), 'RecordPage'),
});
const tokens = createRoute({
  getParentRoute: () => root,
  path: '/tokens',
  validateSearch: pickTexts,
  component: lazyRouteComponent(() => import('../pages/tokens/tokens-page.tsx'), 'TokensPage'),
});
const members = createRoute({
  getParentRoute: () => root,
  path: '/members',
  validateSearch: pickTexts,
  component: lazyRouteComponent(() => import('../pages/members/members-page.tsx'), 'MembersPage'),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
});
const notifications = createRoute({
  getParentRoute: () => root,
  path: '/notifications',
  validateSearch: pickTexts,
  component: lazyRouteComponent(
    () => withLaterTexts(import('../pages/notifications/notifications-page.tsx')),
    'NotificationsPage',
  ),
});
const streams = createRoute({
  getParentRoute: () => root,
  path: '/streams',
  component: lazyRouteComponent(() => withLaterTexts(import('../pages/streams/streams-page.tsx')), 'StreamsPage'),
});
const holds = createRoute({
  getParentRoute: () => root,
  path: '/holds',
  validateSearch: pickTexts,
  component: lazyRouteComponent(() => withLaterTexts(import('../pages/holds/holds-page.tsx')), 'HoldsPage'),
});
const approvals = createRoute({
  getParentRoute: () => root,
  path: '/approvals',
  validateSearch: pickTexts,
  component: lazyRouteComponent(() => import('../pages/approvals/approvals-page.tsx'), 'ApprovalsPage'),
});
const log = createRoute({
  getParentRoute: () => root,
  path: '/log',
  validateSearch: pickTexts,
  component: lazyRouteComponent(() => import('../pages/log/log-page.tsx'), 'LogPage'),
});
const entry = createRoute({
  getParentRoute: () => root,
  path: '/log/$entryId',
  component: lazyRouteComponent(() => import('../pages/log/entry-page.tsx'), 'EntryPage'),
});
const device = createRoute({
  getParentRoute: () => root,
  path: '/device',
  component: lazyRouteComponent(() => import('../pages/device/device-page.tsx'), 'DevicePage'),
});
const start = createRoute({
  getParentRoute: () => root,
  path: '/start',
  component: lazyRouteComponent(() => import('../pages/start/start-page.tsx'), 'StartPage'),
});
const trust = createRoute({
  getParentRoute: () => root,
  path: '/trust',
  component: lazyRouteComponent(() => import('../pages/trust/trust-page.tsx'), 'TrustPage'),
});
const runs = createRoute({
  getParentRoute: () => root,
  path: '/reconciliation',
  validateSearch: pickTexts,
  component: lazyRouteComponent(() => import('../pages/reconciliation/runs-page.tsx'), 'RunsPage'),
});
const newRun = createRoute({
  getParentRoute: () => root,
  path: '/reconciliation/new',
  component: lazyRouteComponent(() => import('../pages/reconciliation/new-run-page.tsx'), 'NewRunPage'),
});
const run = createRoute({
  getParentRoute: () => root,
  path: '/reconciliation/$runId',
  validateSearch: pickTexts,
  component: lazyRouteComponent(() => import('../pages/reconciliation/run-page.tsx'), 'RunPage'),
});

const assets = createRoute({
  getParentRoute: () => root,
  path: '/evidence',
  validateSearch: pickTexts,
  component: lazyRouteComponent(() => import('../pages/evidence/assets-page.tsx'), 'AssetsPage'),
});
const upload = createRoute({
  getParentRoute: () => root,
  path: '/evidence/new',
  component: lazyRouteComponent(() => import('../pages/evidence/upload-page.tsx'), 'UploadPage'),
});
const asset = createRoute({
  getParentRoute: () => root,
  path: '/evidence/$assetId',
  component: lazyRouteComponent(() => import('../pages/evidence/asset-page.tsx'), 'AssetPage'),
});
const otel = createRoute({
  getParentRoute: () => root,
  path: '/opentelemetry',
  validateSearch: pickTexts,
  component: lazyRouteComponent(() => withLaterTexts(import('../pages/otel/otel-page.tsx')), 'OtelPage'),
});

/** Every page of the console and its address. A new page is added here, and to `navigation.ts`. */
export const router = createRouter({
  routeTree: root.addChildren([
    ...[home, records, record, assets, upload, asset, otel, runs, newRun, run, trust],
    ...[tokens, members, settings, notifications, approvals, streams, holds, log, entry, start, device],
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
