import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Hold } from '@answer-evidence/contracts';
import { Actor } from '../../components/actor.tsx';
import { Chip } from '../../components/chip.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';

/** Whether a hold is in force, and if it is not, by whom it was released, when and why. */
export function HoldState({ hold: { release } }: { readonly hold: Hold }) {
  const { t } = useTranslation();
  if (release === null)
    return (
      <Chip color="yellow" icon="lock">
        {t('holdsPage.inForce')}
      </Chip>
    );
  return (
    <>
      <Chip color="gray">{t('holdsPage.released')}</Chip>
      <Text size="xs" c="dimmed">
        <Time at={release.released_at} /> · <Actor actor={release.released_by} />
        <br />
        <PlainText text={release.reason} />
      </Text>
    </>
  );
}
