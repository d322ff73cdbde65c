import { Alert, Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { MarkedFilters, MarkedRecordList } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';

const PAGE_SIZE = 200;
/** Most records that are selected at once. */
const SELECTED_MAX = 2_000;

type Props = {
  readonly filters: MarkedFilters;
  readonly page: Pick<MarkedRecordList, 'total' | 'total_relation' | 'items'>;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
};

/** How many records are selected, and the way to all that match where they are on more than this page. */
export function SelectMatching({ filters, page, selected, onSelect }: Props) {
  const { t } = useTranslation();
  const { client } = useSession();
  const { isBusy, error, run } = useAction();
  const selectAll = () =>
    run(async () => {
      const ids = new Set<string>();
      let cursor: string | null | undefined;
      while (cursor !== null && ids.size < SELECTED_MAX) {
        const next = await client.search.marked(filters, {
          size: PAGE_SIZE,
          ...(cursor === undefined ? {} : { cursor }),
        });
        for (const { record } of next.items) ids.add(record.id);
        cursor = next.next_cursor;
      }
      onSelect(ids);
    });
  const isMore = page.total > page.items.length && selected.size < Math.min(page.total, SELECTED_MAX);
  return (
    <Alert role="status" mb="sm" p="xs">
      <Group gap="sm">
        {t('records.selected', { count: selected.size })}
        {isMore && (
          <Button size="compact-sm" variant="default" loading={isBusy} onClick={() => void selectAll()}>
            {t(page.total > SELECTED_MAX ? 'records.selectFirst' : 'records.selectMatching', {
              count: Math.min(page.total, SELECTED_MAX),
            })}
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={() => onSelect(new Set())}>
          {t('records.selectNone')}
        </Button>
      </Group>
      <ActionError error={error} />
    </Alert>
  );
}
