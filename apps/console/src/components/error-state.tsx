import { Alert, Button, Text } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ApiError, UnreachableError } from '@answer-evidence/client';
import { nameControls } from './split-controls.ts';

/** What went wrong, in the service's own words where it said any; they can name what a tenant sent. */
export function describeError(error: unknown, t: TFunction): string {
  if (error instanceof ApiError) {
    if (error.status === 403) return t('errors.forbidden');
    if (error.problem === null) return t('errors.foreign', { status: error.status });
    const fields = error.problem.errors.map(({ pointer, detail }) => `${pointer}: ${detail}`);
    return nameControls([error.problem.detail, ...fields].join('\n'));
  }
  if (error instanceof Error && error.name === 'ChangedMeanwhileError') return t('errors.changed');
  if (error instanceof Error && error.name === 'OneByOneError') return t('errors.oneByOne');
  if (error instanceof UnreachableError) return t('errors.unreachable');
  return t('errors.page');
}

type Props = { readonly error: unknown; readonly onRetry?: () => void };

/** A part of a page that could not be shown, with a way to try again. */
export function ErrorState({ error, onRetry }: Props) {
  const { t } = useTranslation();
  const code = error instanceof ApiError ? error.problem?.code : undefined;
  const isGone = error instanceof ApiError && error.status === 404;
  // What was altered or lost is still so at another try.
  const isDamaged = code === 'content_damaged';
  return (
    <Alert color="red" role="alert" title={titleOf(t, isGone, isDamaged)} m="md">
      <Text className="wrapped">{isGone ? t('errors.notFoundText') : describeError(error, t)}</Text>
      {code !== undefined && (
        <Text size="sm" mt="xs">
          {t('errors.code')} <code>{code}</code>
        </Text>
      )}
      {onRetry !== undefined && !isGone && !isDamaged && (
        <Button variant="default" mt="sm" onClick={onRetry}>
          {t('common.retry')}
        </Button>
      )}
    </Alert>
  );
}

function titleOf(t: TFunction, isGone: boolean, isDamaged: boolean): string {
  if (isDamaged) return t('errors.damaged');
  return isGone ? t('errors.notFound') : t('errors.title');
}
