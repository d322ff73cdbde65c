import type { Right } from '@answer-evidence/contracts/operations';
import type { IconName } from './icon.tsx';

/** A page that the navigation leads to. */
export type NavigationItem = {
  readonly to:
    | '/'
    | '/records'
    | '/evidence'
    | '/opentelemetry'
    | '/reconciliation'
    | '/trust'
    | '/start'
    | '/tokens'
    | '/members'
    | '/notifications'
    | '/approvals'
    | '/streams'
    | '/holds'
    | '/settings'
    | '/log';
  /** Its key in the catalogues. */
  readonly label: string;
  readonly icon: IconName;
  /** What it takes to open it; left out: nothing. */
  readonly right?: Right;
};

/** Pages of a kind; those without a name come first. */
type NavigationGroup = { readonly label: string | null; readonly items: readonly NavigationItem[] };

/** The navigation, from top to bottom. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    label: null,
    items: [
      { to: '/', label: 'navigation.overview', icon: 'gauge' },
      { to: '/records', label: 'navigation.records', icon: 'page', right: 'records.read' },
      { to: '/reconciliation', label: 'navigation.reconciliation', icon: 'checks', right: 'reconciliations.read' },
      { to: '/evidence', label: 'navigation.evidence', icon: 'pages', right: 'evidence.read' },
    ],
  },
  {
    label: 'navigation.groups.trust',
    items: [
      { to: '/trust', label: 'navigation.trust', icon: 'shield', right: 'trust.read' },
      { to: '/holds', label: 'navigation.holds', icon: 'lock', right: 'holds.read' },
      { to: '/log', label: 'navigation.log', icon: 'history', right: 'entries.read' },
    ],
  },
  {
    label: 'navigation.groups.sources',
    items: [
      { to: '/opentelemetry', label: 'navigation.otel', icon: 'path', right: 'telemetry.read' },
      { to: '/tokens', label: 'navigation.tokens', icon: 'key', right: 'tokens.own' },
      { to: '/start', label: 'navigation.start', icon: 'flag', right: 'settings.manage' },
    ],
  },
  {
    label: 'navigation.groups.workspace',
    items: [
      { to: '/members', label: 'navigation.members', icon: 'people', right: 'members.read' },
      { to: '/approvals', label: 'navigation.approvals', icon: 'check', right: 'approvals.read' },
      { to: '/notifications', label: 'navigation.notifications', icon: 'bell', right: 'notifications' },
      { to: '/streams', label: 'navigation.streams', icon: 'send', right: 'streams' },
      { to: '/settings', label: 'navigation.settings', icon: 'sliders', right: 'settings.read' },
    ],
  },
];

/** What it takes to open the pages that the navigation does not lead to. */
const DEEPER: Readonly<Record<string, Right>> = {
  '/records/$recordId': 'records.read',
  '/evidence/$assetId': 'evidence.read',
  '/evidence/new': 'evidence.create',
  '/reconciliation/$runId': 'reconciliations.read',
  '/reconciliation/new': 'reconciliations.run',
  '/log/$entryId': 'entries.read',
};
const RIGHTS: Readonly<Record<string, Right | undefined>> = {
  ...DEEPER,
  ...Object.fromEntries(NAVIGATION.flatMap(({ items }) => items.map(({ to, right }) => [to, right]))),
};

/** The key of what the navigation calls the page that a route is below. */
export function labelOf(routeId: string): string {
  const place = `/${routeId.split('/')[1] ?? ''}`;
  return NAVIGATION.flatMap(({ items }) => items).find(({ to }) => to === place)?.label ?? 'navigation.overview';
}

/** What it takes to open the page of a route; undefined: nothing. */
export function rightOf(routeId: string): Right | undefined {
  return RIGHTS[routeId];
}
