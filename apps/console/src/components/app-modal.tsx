import { Modal, type ModalProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

type Props = Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'children' | 'size'> & {
  /** It can only be answered, not closed. */
  readonly isFixed?: boolean;
};

/** A dialog of the console. It does not lock scrolling: Mantine would add a style element, which the policy refuses. */
export function AppModal({ title, children, isFixed = false, ...props }: Props) {
  const { t } = useTranslation();
  return (
    <Modal.Root
      {...props}
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
          <Modal.Title>{title}</Modal.Title>
          {!isFixed && <Modal.CloseButton aria-label={t('common.close')} />}
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
