import { useTranslation } from 'react-i18next';
import classes from './brand.module.css';

/** The mark, a tree of hashes under one root, and the name beside it where there is room. */
export function Brand() {
  const { t } = useTranslation();
  return (
    <span className={classes['brand']}>
      <svg width={26} height={26} viewBox="0 0 32 32" aria-hidden>
        <path className={classes['lines']} d="M16 9v5M16 14 8 19M16 14l8 5M8 19l-3 6M8 19l3 6M24 19l-3 6M24 19l3 6" />
        <path className={classes['nodes']} d="M16 7h.01M8 18.500h.01M24 18.500h.01" />
        <path className={classes['leaves']} d="M4.500 26.500h.01M11 26.500h.01M21 26.500h.01M27.500 26.500h.01" />
      </svg>
      <span className={classes['name']}>{t('shell.product')}</span>
    </span>
  );
}
