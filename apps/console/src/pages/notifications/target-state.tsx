import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { NotificationTarget } from '@answer-evidence/contracts';
import { Chip } from '../../components/chip.tsx';
import { Time } from '../../components/time.tsx';

type Props = { readonly target: NotificationTarget };

/** Whether a target gets what it is to get: in color and in words, with the time since when it does not. */
export function TargetState({
  target: { state, reason: said, mail, state_since: since, failing_since: failing },
}: Props) {
  const { t } = useTranslation();
  const reason = said ?? mail?.stopped ?? null;
  if (state === 'disabled')
    return (
      <>
        <Chip color={reason === 'by_manager' ? 'gray' : 'red'}>{t('notifications.disabled')}</Chip>
        <Text size="xs" c="dimmed">
          {reason !== null && t(`notificationReasons.${reason}`)} <Time at={since} />
        </Text>
      </>
    );
  if (failing === null) return <Chip color="green">{t('notifications.active')}</Chip>;
  return (
    <>
      <Chip color="red">{t('notifications.failing')}</Chip>
      <Text size="xs" c="dimmed">
        {t('notifications.failingSince')} <Time at={failing} />
      </Text>
    </>
  );
}
