import type { StaticDataRouteOption } from '@tanstack/react-router';
import type { Right } from '@answer-evidence/contracts/operations';
import type { IconName } from './icon.tsx';

/** The parts of the menu, from top to bottom; the first one has no heading. */
export const MENU_PARTS = ['first', 'trust', 'sources', 'workspace'] as const;
export type MenuPart = (typeof MENU_PARTS)[number];

declare module '@tanstack/react-router' {
  /** What is said of a page beside its path. */
  interface StaticDataRouteOption {
    /** Its place in the menu, in the order of the pages; left out: the menu does not lead to it. */
    readonly menu?: readonly [MenuPart, IconName];
    /** What it takes to open it; left out: nothing. */
    readonly right?: Right;
  }
}
export type PageFacts = StaticDataRouteOption;

/** What is asked here of a route of the router. */
export type PageRoute = { readonly fullPath: string; readonly options: { readonly staticData?: PageFacts } };

/** A page that the menu leads to. */
export type MenuItem = { readonly to: string; readonly icon: IconName; readonly right: Right | undefined };

/** The pages of one part of the menu. */
export function listMenu(routes: readonly PageRoute[], part: MenuPart): readonly MenuItem[] {
  return routes.flatMap(({ fullPath, options }) => {
    const { menu, right } = options.staticData ?? {};
    return menu?.[0] === part ? [{ to: fullPath, icon: menu[1], right }] : [];
  });
}

/** What the menu calls the page that a path is of or below, as a part of a key of the catalogues. */
export function nameOf(path: string): string {
  return path.split('/')[1] || 'overview';
}
