import { Text, UnstyledButton } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../../components/page-head.tsx';
import { useSession } from '../../session/session-context.tsx';
import { Applications } from './applications.tsx';
import { GivenUp } from './given-up.tsx';
import { Ignored } from './ignored.tsx';
import classes from './otel.module.css';
import { TraceFates } from './trace-fates.tsx';
import { Unattached } from './unattached.tsx';

const VIEWS = {
  applications: Applications,
  ignored: Ignored,
  unattached: Unattached,
  trace: TraceFates,
  'given-up': GivenUp,
} as const;
const NAMES = ['applications', 'ignored', 'unattached', 'trace', 'given-up'] as const;

/** What comes by OpenTelemetry: who sends, what of it left no record and why, and work that was given up. */
export function OtelPage() {
  const { t } = useTranslation();
  const { may } = useSession();
  const { view } = useSearch({ from: '/opentelemetry' });
  const navigate = useNavigate({ from: '/opentelemetry' });
  const shown = NAMES.find((name) => name === view) ?? 'applications';
  const Shown = VIEWS[shown];
  return (
    <>
      <PageHead title={t('otel.title')} />
      <nav className={classes['views']} aria-label={t('otel.views')}>
        {NAMES.filter((name) => name !== 'given-up' || may('deadletters')).map((name) => (
          <UnstyledButton
            key={name}
            className={classes['view'] ?? ''}
            aria-current={name === shown ? 'true' : undefined}
            onClick={() => void navigate({ search: name === 'applications' ? {} : { view: name } })}
          >
            {t(`otelViews.${name}`)}
          </UnstyledButton>
        ))}
      </nav>
      <Text mb="md">{t(`otelTexts.${shown}`)}</Text>
      <Shown />
    </>
  );
}
