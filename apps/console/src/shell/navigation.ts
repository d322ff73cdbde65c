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
    | '/settings'
    | '/log';
  /** Its key in the catalogues. */
  readonly label: string;
  readonly icon: IconName;
  /** Only managers may open it. */
  readonly isManagers?: boolean;
};

/** Pages of a kind; those without a name come first. */
type NavigationGroup = { readonly label: string | null; readonly items: readonly NavigationItem[] };

/** The navigation, from top to bottom. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    label: null,
    items: [
      { to: '/', label: 'navigation.overview', icon: 'gauge' },
      { to: '/records', label: 'navigation.records', icon: 'page' },
      { to: '/reconciliation', label: 'navigation.reconciliation', icon: 'checks' },
      { to: '/evidence', label: 'navigation.evidence', icon: 'pages' },
    ],
  },
  {
    label: 'navigation.groups.trust',
    items: [
      { to: '/trust', label: 'navigation.trust', icon: 'shield' },
      { to: '/log', label: 'navigation.log', icon: 'history', isManagers: true },
    ],
  },
  {
    label: 'navigation.groups.sources',
    items: [
      { to: '/opentelemetry', label: 'navigation.otel', icon: 'path' },
      { to: '/tokens', label: 'navigation.tokens', icon: 'key' },
      { to: '/start', label: 'navigation.start', icon: 'flag', isManagers: true },
    ],
  },
  {
    label: 'navigation.groups.workspace',
    items: [
      { to: '/members', label: 'navigation.members', icon: 'people', isManagers: true },
      { to: '/notifications', label: 'navigation.notifications', icon: 'bell', isManagers: true },
      { to: '/settings', label: 'navigation.settings', icon: 'sliders', isManagers: true },
    ],
  },
];
