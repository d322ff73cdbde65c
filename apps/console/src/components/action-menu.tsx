import { Button, type ButtonProps } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';

/** A part of a menu: something to choose, words above what belongs together, or a line between. */
type MenuPart =
  | {
      readonly kind: 'item';
      readonly key: string;
      readonly title: ReactNode;
      readonly onChoose: () => void;
      readonly isCurrent?: boolean;
      readonly isDisabled?: boolean;
      readonly lang?: string;
    }
  | { readonly kind: 'label'; readonly title: string }
  | { readonly kind: 'line' };

export type ActionMenuProps = {
  readonly title: ReactNode;
  readonly parts: readonly MenuPart[];
  readonly button?: Pick<ButtonProps, 'variant' | 'size'>;
};

// What places a menu beside its button is a tenth of the console, and few pages are opened for their menus.
const OpenMenu = lazy(async () => ({ default: (await import('./open-menu.tsx')).OpenMenu }));

/** A button with a menu, which is loaded when it is first opened. */
export function ActionMenu(props: ActionMenuProps) {
  const [isWanted, setWanted] = useState(false);
  const button = (
    <Button {...props.button} aria-haspopup="menu" aria-expanded={false} onClick={() => setWanted(true)}>
      {props.title}
    </Button>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <OpenMenu {...props} />
    </Suspense>
  );
}
