import { IconFileText, type TablerIcon } from '@tabler/icons-react';

/** A page that the navigation leads to. */
type NavigationItem = {
  readonly to: '/records';
  /** Its key in the catalogues. */
  readonly label: string;
  readonly icon: TablerIcon;
  /** Only managers may open it. */
  readonly isManagers?: boolean;
};

/** The navigation, from top to bottom. */
export const NAVIGATION: readonly NavigationItem[] = [
  { to: '/records', label: 'navigation.records', icon: IconFileText },
];
