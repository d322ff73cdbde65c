import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';
import { describeAttention } from '../overview/describe-attention.ts';

const KINDS: ReadonlySet<string> = new Set(['anchor_failing', 'renewal_failing', 'witness_failing']);
const REFRESH_MS = 10_000;

/** Whose word is missing: in red where the policy requires it. */
export function WhoFails() {
  const { t } = useTranslation();
  const { data } = useWorkspaceQuery(['overview', 'trust'], (client) => client.overview.get({ days: 1 }), {
    refetchInterval: REFRESH_MS,
  });
  const failing = data?.attention.filter(({ kind }) => KINDS.has(kind)) ?? [];
  return failing.map((item) => (
    <Alert
      key={`${item.kind} ${item.name ?? ''}`}
      color={item.severity === 'high' ? 'red' : 'yellow'}
      title={<PlainText text={describeAttention(item, t)} />}
      mb="md"
    >
      {t(`overview.why.${item.kind}`)}{' '}
      {item.since !== null && (
        <>
          {t('overview.since')} <Time at={item.since} />.
        </>
      )}
    </Alert>
  ));
}
