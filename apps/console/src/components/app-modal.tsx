import type { ModalProps } from '@mantine/core';
import { lazy, Suspense } from 'react';

/** What a dialog is made of. */
export type AppModalProps = Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'children' | 'size'> & {
  /** It can only be answered, not closed. */
  readonly isFixed?: boolean;
};

// No page begins with a dialog: what one is made of is loaded with the first.
const OpenModal = lazy(async () => ({ default: (await import('./open-modal.tsx')).OpenModal }));

/** A dialog of the console. */
export function AppModal({ opened, ...props }: AppModalProps) {
  if (!opened) return null;
  return (
    <Suspense>
      <OpenModal {...props} />
    </Suspense>
  );
}
