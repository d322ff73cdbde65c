import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { MenuProps } from './open-menu.tsx';

// What places a menu beside its button is a tenth of the console, and few pages are opened for their menus.
const OpenMenu = lazy(async () => ({ default: (await import('./open-menu.tsx')).OpenMenu }));

/** A button with a menu, which is loaded when it is first opened. */
export function ActionMenu(props: MenuProps) {
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
