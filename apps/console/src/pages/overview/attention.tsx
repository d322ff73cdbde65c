import { Button, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { AttentionItem } from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { describeAttention } from './describe-attention.ts';
import classes from './overview.module.css';

/** What needs somebody, the most pressing first, each with the way to the place that solves it. */
export function Attention({ items }: { readonly items: readonly AttentionItem[] }) {
  const { t } = useTranslation();
  return (
    <section className={classes['panel']} aria-labelledby="attention">
      <Title order={2} size="h4" id="attention">
        {t('overview.attention')}
      </Title>
      {items.length === 0 ? (
        <p className={classes['well']}>{t('overview.allWell')}</p>
      ) : (
        <ul className={classes['items']}>
          {items.map((item) => (
            <Item
              key={`${item.kind} ${item.object_id ?? ''} ${item.application_key ?? ''} ${item.name ?? ''}`}
              item={item}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function Item({ item }: { readonly item: AttentionItem }) {
  const { t } = useTranslation();
  const { kind, severity, since, until } = item;
  return (
    <li className={classes['item']} data-severity={severity}>
      <span className={classes['dot']}>
        <span className="visually-hidden">{t(`overview.severities.${severity}`)}</span>
      </span>
      <div>
        <p className={classes['what']}>
          <PlainText text={describeAttention(item, t)} />
        </p>
        <p className={classes['why']}>
          {t(`overview.why.${kind}`)}
          {until !== null && (
            <>
              {' '}
              {t('overview.until')} <Time at={until} />.
            </>
          )}
          {since !== null && (
            <>
              {' '}
              {t(kind === 'token_ends' ? 'overview.lastUsed' : 'overview.since')} <Time at={since} />.
            </>
          )}
        </p>
      </div>
      <Solve item={item} />
    </li>
  );
}

/** One button to the place that solves it. Where that is follows from the kind, and not from a text of the reply. */
function Solve({ item: { kind, object_id: id } }: { readonly item: AttentionItem }) {
  const { t } = useTranslation();
  const button = { size: 'xs', variant: 'default', className: classes['solve'] ?? '' } as const;
  const label = t(`overview.solve.${kind}`, { defaultValue: t('overview.look') });
  switch (kind) {
    case 'answers_missing':
    case 'findings_unassigned':
    case 'findings_overdue':
      return (
        <Button
          {...button}
          renderRoot={(props) => (
            <Link
              {...props}
              {...(id === null
                ? { to: '/reconciliation' }
                : { to: '/reconciliation/$runId', params: { runId: id }, search: FINDINGS[kind] })}
            />
          )}
        >
          {label}
        </Button>
      );
    case 'telemetry_refused':
    case 'telemetry_unattached':
    case 'jobs_given_up':
      return (
        <Button
          {...button}
          renderRoot={(props) => <Link {...props} to="/opentelemetry" search={{ view: VIEWS[kind] }} />}
        >
          {label}
        </Button>
      );
    default:
      return (
        <Button {...button} renderRoot={(props) => <Link {...props} to={PLACES[kind] ?? '/trust'} />}>
          {label}
        </Button>
      );
  }
}

/** Which findings of the run are meant. */
const FINDINGS = {
  answers_missing: { type: 'missing_service', state: 'open' },
  findings_unassigned: { state: 'open', assignee: 'none' },
  findings_overdue: { due: 'overdue', sort: 'due' },
} as const;
const VIEWS = { telemetry_refused: 'ignored', telemetry_unattached: 'unattached', jobs_given_up: 'given-up' } as const;
const PLACES: Readonly<
  Partial<
    Record<
      AttentionItem['kind'],
      '/trust' | '/tokens' | '/members' | '/settings' | '/streams' | '/approvals' | '/holds'
    >
  >
> = {
  stream_failing: '/streams',
  approvals_waiting: '/approvals',
  holds_in_force: '/holds',
  token_ends: '/tokens',
  sign_in_link_ends: '/members',
  sweep_held: '/settings',
  clock_not_believed: '/settings',
};
