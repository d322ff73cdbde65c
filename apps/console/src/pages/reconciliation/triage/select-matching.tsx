import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Client } from '@answer-evidence/client';
import { PAGE_SIZE_MAX, type TriagedFinding } from '@answer-evidence/contracts';
import { ActionError } from '../../../components/action-error.tsx';
import { useAction } from '../../../components/use-action.ts';
import { useSession } from '../../../session/session-context.tsx';

/** Each finding is a request of its own, so a bound keeps it within a minute. */
const SELECTED_MAX = 1_000;

type Filters = NonNullable<Parameters<Client['reconciliations']['triage']>[1]>;

type Props = {
  readonly runId: string;
  readonly filters: Filters;
  /** How many match. */
  readonly total: number;
  readonly onSelect: (findings: readonly TriagedFinding[]) => void;
};

/** Selects every finding that the filters leave, over all pages, up to a bound. */
export function SelectMatching({ runId, filters, total, onSelect }: Props) {
  const { t } = useTranslation();
  const { client } = useSession();
  const { isBusy, error, run } = useAction();
  const select = () =>
    run(async () => {
      const found: TriagedFinding[] = [];
      for (let cursor: string | null | undefined; cursor !== null && found.length < SELECTED_MAX;) {
        const page: Awaited<ReturnType<typeof client.reconciliations.triage>> = await client.reconciliations.triage(
          runId,
          filters,
          { size: PAGE_SIZE_MAX, ...(cursor === undefined ? {} : { cursor }) },
        );
        found.push(...page.items);
        cursor = page.next_cursor;
      }
      onSelect(found.slice(0, SELECTED_MAX));
    });
  return (
    <>
      <Button size="compact-sm" variant="subtle" loading={isBusy} onClick={() => void select()}>
        {total > SELECTED_MAX
          ? t('triage.selectFirst', { count: SELECTED_MAX })
          : t('triage.selectMatching', { count: total })}
      </Button>
      <ActionError error={error} />
    </>
  );
}
