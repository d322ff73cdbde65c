import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FilterBar } from '../../components/filter-bar.tsx';
import { PagedTable } from '../../components/paged-table.tsx';

type Props<Row> = Pick<
  React.ComponentProps<typeof PagedTable<Row>>,
  'caption' | 'columns' | 'query' | 'cursor' | 'empty'
> & {
  readonly view: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly reasons: readonly { readonly value: string; readonly label: string }[];
};

/** A list of what left no record, narrowed by application and reason. */
export function LeftOutList<Row extends { readonly id: string }>({ view, filters, reasons, ...table }: Props<Row>) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/opentelemetry' });
  const show = (next: Readonly<Record<string, string>>) => void navigate({ search: { view, ...next } });
  return (
    <>
      <FilterBar
        key={JSON.stringify(filters)}
        search={filters}
        fields={[
          { name: 'application_key', label: t('records.application') },
          { name: 'reason', label: t('otel.reason'), options: reasons },
        ]}
        onChange={show}
      />
      <PagedTable keyOf={({ id }) => id} onPage={(at) => show({ ...filters, ...at })} {...table} />
    </>
  );
}
