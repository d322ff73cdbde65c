import { Modal, type ModalProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

type Props = Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'children' | 'size'> & {
  /** It can only be answered, not closed. */
  readonly isFixed?: boolean;
};

/** A dialog of the console. It does not lock scrolling: Mantine would add a style element, which the policy refuses. */
export function AppModal({ isFixed = false, ...props }: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      {...props}
      centered
      lockScroll={false}
      withCloseButton={!isFixed}
      closeOnEscape={!isFixed}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      overlayProps={{ backgroundOpacity: 0.5 }}
    />
  );
}
