import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Stream } from '@answer-evidence/contracts';
import { Chip } from '../../components/chip.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';

type Props = { readonly stream: Stream };

/** Whether a stream sends: in color and in words, with what it failed by and when it is tried again. */
export function StreamState({ stream: { state, state_since: since, failing_since: failing, ...stream } }: Props) {
  const { t } = useTranslation();
  const { last_error: error, paused_until: until } = stream;
  if (state === 'active' && failing === null) return <Chip color="green">{t('streamStates.active')}</Chip>;
  const isDisabled = state === 'disabled';
  return (
    <>
      <Chip color={isDisabled ? 'gray' : 'red'}>
        {t(isDisabled ? 'streamStates.disabled' : 'streamStates.failing')}
      </Chip>
      <Text size="xs" c="dimmed">
        {t('streams.since')} <Time at={isDisabled ? since : (failing ?? since)} />
      </Text>
      {!isDisabled && error !== null && (
        <Text size="xs">
          <PlainText text={error} />
        </Text>
      )}
      {!isDisabled && until !== null && (
        <Text size="xs" c="dimmed">
          {t('streams.nextAttempt')} <Time at={until} />
        </Text>
      )}
    </>
  );
}
