import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';

// The first page of most readers is the list of records, and most of them make no pack there.
const PackDialog = lazy(async () => ({ default: (await import('./pack-dialog.tsx')).PackDialog }));

/** Makes an evidence pack of records: a file for somebody who has neither this service nor a program for it. */
export function PackButton({ recordIds }: { readonly recordIds: readonly string[] }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" disabled={recordIds.length === 0} onClick={() => setOpen(true)}>
        {t('pack.title')}
      </Button>
      {isOpen && (
        <Suspense>
          <PackDialog recordIds={recordIds} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
