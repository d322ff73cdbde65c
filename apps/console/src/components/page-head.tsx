import { Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';

type Props = { readonly title: string; readonly children?: ReactNode };

/** The heading of a page, with what can be done on it; the title of the browser's tab follows. */
export function PageHead({ title, children }: Props) {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${title} · ${t('shell.product')}`;
  }, [title, t]);
  return (
    <div className="page-head">
      <Title order={1} size="h2">
        {title}
      </Title>
      {children}
    </div>
  );
}
