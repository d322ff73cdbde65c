import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AnchorItem, CheckpointItem, TrustPolicy } from '@answer-evidence/contracts';
import { Time } from '../../components/time.tsx';
import { judgeAttestations } from './judge-attestations.ts';
import classes from './trust.module.css';

type Props = {
  readonly policy: TrustPolicy;
  readonly checkpoints: readonly CheckpointItem[];
  readonly anchors: readonly AnchorItem[];
};

/** Three statements side by side, each with what it does not say. There is no sum of them. */
export function AttestationCards({ policy, checkpoints, anchors }: Props) {
  const { t } = useTranslation();
  const { signed, witnessed, anchored } = judgeAttestations(checkpoints, anchors, policy.anchors);
  const latest = checkpoints[0];
  return (
    <>
      {witnessed === null && anchored === null && (
        <Alert color="yellow" mb="md">
          {t('trust.nobodyOutside')}
        </Alert>
      )}
      <ul className={classes['cards']}>
        <li>
          <h2>{t('trust.signed')}</h2>
          <p className={classes['figure']}>{t('trust.entries', { count: signed })}</p>
          <p>
            {latest !== undefined && <Time at={latest.published_at} />} {t('trust.signedText')}
          </p>
        </li>
        <Outside title={t('trust.witnessed')} size={witnessed} signed={signed} text={t('trust.witnessedText')} />
        <Outside title={t('trust.anchored')} size={anchored} signed={signed} text={t('trust.anchoredText')} />
      </ul>
    </>
  );
}

type OutsideProps = {
  readonly title: string;
  readonly size: number | null;
  readonly signed: number;
  readonly text: string;
};

function Outside({ title, size, signed, text }: OutsideProps) {
  const { t } = useTranslation();
  const behind = signed - (size ?? 0);
  return (
    <li data-state={size === null ? 'nobody' : behind > 0 ? 'behind' : 'all'}>
      <h2>{title}</h2>
      <p className={classes['figure']}>{size === null ? t('trust.nobody') : t('trust.entries', { count: size })}</p>
      <p>
        {size === null ? t('trust.nobodyText') : behind > 0 ? t('trust.behind', { count: behind }) : t('trust.all')}{' '}
        {text}
      </p>
    </li>
  );
}
