import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';

// Few records are shown to anybody by a link.
const LinkDialog = lazy(async () => ({ default: (await import('./link-dialog.tsx')).LinkDialog }));

/** Makes, lists and revokes the links that show a record to the person concerned. */
export function LinkButton({ recordId }: { readonly recordId: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('proofLink.title')}
      </Button>
      {isOpen && (
        <Suspense>
          <LinkDialog recordId={recordId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
