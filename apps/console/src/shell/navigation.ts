import type { IconName } from './icon.tsx';

/** A page that the navigation leads to. */
type NavigationItem = {
  readonly to:
    | '/records'
    | '/evidence'
    | '/opentelemetry'
    | '/reconciliation'
    | '/trust'
    | '/start'
    | '/tokens'
    | '/members'
    | '/settings'
    | '/log';
  /** Its key in the catalogues. */
  readonly label: string;
  readonly icon: IconName;
  /** Only managers may open it. */
  readonly isManagers?: boolean;
};

/** The navigation, from top to bottom. */
export const NAVIGATION: readonly NavigationItem[] = [
  { to: '/records', label: 'navigation.records', icon: 'page' },
  { to: '/evidence', label: 'navigation.evidence', icon: 'pages' },
  { to: '/opentelemetry', label: 'navigation.otel', icon: 'path' },
  { to: '/reconciliation', label: 'navigation.reconciliation', icon: 'checks' },
  { to: '/trust', label: 'navigation.trust', icon: 'shield' },
  { to: '/tokens', label: 'navigation.tokens', icon: 'key' },
  { to: '/members', label: 'navigation.members', icon: 'people', isManagers: true },
  { to: '/settings', label: 'navigation.settings', icon: 'sliders', isManagers: true },
  { to: '/log', label: 'navigation.log', icon: 'history', isManagers: true },
  { to: '/start', label: 'navigation.start', icon: 'flag', isManagers: true },
];
