import {
  IconFiles,
  IconFileText,
  IconKey,
  IconListCheck,
  IconRocket,
  IconRoute,
  IconSettings,
  IconShieldCheck,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react';

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
    | '/settings';
  /** Its key in the catalogues. */
  readonly label: string;
  readonly icon: TablerIcon;
  /** Only managers may open it. */
  readonly isManagers?: boolean;
};

/** The navigation, from top to bottom. */
export const NAVIGATION: readonly NavigationItem[] = [
  { to: '/records', label: 'navigation.records', icon: IconFileText },
  { to: '/evidence', label: 'navigation.evidence', icon: IconFiles },
  { to: '/opentelemetry', label: 'navigation.otel', icon: IconRoute },
  { to: '/reconciliation', label: 'navigation.reconciliation', icon: IconListCheck },
  { to: '/trust', label: 'navigation.trust', icon: IconShieldCheck },
  { to: '/tokens', label: 'navigation.tokens', icon: IconKey },
  { to: '/members', label: 'navigation.members', icon: IconUsers, isManagers: true },
  { to: '/settings', label: 'navigation.settings', icon: IconSettings, isManagers: true },
  { to: '/start', label: 'navigation.start', icon: IconRocket, isManagers: true },
];
