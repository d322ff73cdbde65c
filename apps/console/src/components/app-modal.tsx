import { lazy, Suspense } from 'react';
import type { OpenModalProps } from './open-modal.tsx';

// No page begins with a dialog: what one is made of is loaded with the first.
const OpenModal = lazy(async () => ({ default: (await import('./open-modal.tsx')).OpenModal }));

/** A dialog of the console. */
export function AppModal({ opened, ...props }: OpenModalProps & { readonly opened: boolean }) {
  if (!opened) return null;
  return (
    <Suspense>
      <OpenModal {...props} />
    </Suspense>
  );
}
