import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainText } from './plain-text.tsx';

/** What a dialog is made of. */
export type OpenModalProps = Pick<ModalProps, 'onClose' | 'children' | 'size'> & {
  /** It may have names that people chose in it. */
  readonly title: string;
  /** It can only be answered, not closed. */
  readonly isFixed?: boolean;
};

/**
 * A dialog that is open. It keeps the focus within it, and gives it back to what opened it. It does not lock scrolling:
 * Mantine would add a style element, which the policy refuses.
 */
export function OpenModal({ title, children, isFixed = false, ...props }: OpenModalProps) {
  const { t } = useTranslation();
  const [opener] = useState(findOpener);
  useEffect(
    () => () => {
      // What opened it may be gone by what was done in it.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
      else document.getElementById('page')?.focus({ preventScroll: true });
    },
    [opener],
  );
  return (
    <Modal.Root
      {...props}
      opened
      transitionProps={{ duration: 0 }}
      centered
      lockScroll={false}
      closeOnEscape={!isFixed}
      closeOnClickOutside={false}
    >
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content>
        {/* Its element would count as a second banner of the page. */}
        <Modal.Header role="none">
          <Modal.Title>
            <PlainText text={title} />
          </Modal.Title>
          {!isFixed && <Modal.CloseButton aria-label={t('common.close')} />}
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** What has the focus; for an entry of a menu, which goes when the menu closes, the button of the menu. */
function findOpener(): Element | null {
  const focused = document.activeElement;
  const menuButton = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return menuButton === null || menuButton === undefined ? focused : document.getElementById(menuButton);
}
