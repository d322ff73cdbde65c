import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Approval } from '@answer-evidence/contracts';
import { Actor } from '../../components/actor.tsx';
import { Chip } from '../../components/chip.tsx';
import { Time } from '../../components/time.tsx';
import type { ExportFate } from './export-fate.ts';

const COLORS = { open: 'yellow', approved: 'green', declined: 'red', withdrawn: 'gray', expired: 'gray' } as const;

type Props = { readonly one: Approval; readonly fate: ExportFate | undefined };

/** What became of a request: who decided, until when it waits, and whether an approved export was made. */
export function RequestState({ one: { state, expires_at: until, decided_by: decider }, fate }: Props) {
  const { t } = useTranslation();
  const isUsable = fate === 'yours' || fate === 'theirs';
  return (
    <>
      <Chip color={fate === undefined || isUsable ? COLORS[state] : 'gray'}>{t(`approvals.states.${state}`)}</Chip>
      <Text size="xs" c="dimmed" component="div">
        {fate !== undefined && <div>{t(`askedExports.fates.${fate}`)}</div>}
        {(state === 'open' || isUsable) && (
          <div>
            {t('approvals.until')} <Time at={until} />
          </div>
        )}
        {decider !== null && (
          <div>
            {t('askedExports.by')} <Actor actor={decider} />
          </div>
        )}
      </Text>
    </>
  );
}
