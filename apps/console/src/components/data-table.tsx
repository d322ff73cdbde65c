import { Button, Checkbox } from '@mantine/core';
import { Fragment, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './data-table.module.css';
import { nameControls } from './split-controls.ts';

/** A column: its head, and what stands in it of a row. */
export type Column<Row> = {
  readonly id: string;
  /** Of a list that somebody uploaded, it is a text of theirs. */
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Left out on narrow screens. */
  readonly isMinor?: boolean;
};

export type TableProps<Row> = {
  /** What the table lists, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Enter or a click on a row. Its first column should hold a link to the same place. */
  readonly onOpen?: (row: Row) => void;
  /** Keys of the rows that are selected; left out: rows cannot be selected. */
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (keys: ReadonlySet<string>) => void;
  readonly isBusy?: boolean;
  /** What a row belongs to, such as its day: named above the first row of each. */
  readonly groupOf?: (row: Row) => string;
  /** What other keys do on a row, each by the text that it types. */
  readonly keys?: Readonly<Record<string, (row: Row) => void>>;
  /** Another row is the one that keys are for. */
  readonly onCurrent?: (row: Row) => void;
};

/** Where each key moves to, from a row of so many. */
const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at) => at + 1,
  j: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  k: (at) => at - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * A page of a list. One row takes part in the order of the Tab key; arrows, J and K, Home and End move between rows,
 * Enter opens a row, the space bar selects it.
 */
export function DataTable<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, onOpen, selected, onSelect, isBusy = false, groupOf, onCurrent } = props;
  const { t } = useTranslation();
  const [current, setCurrent] = useState(0);
  const body = useRef<HTMLTableSectionElement>(null);
  const keys = rows.map(keyOf);
  const selectedHere = keys.filter((key) => selected?.has(key) === true).length;

  function toggle(changed: readonly string[], isOn: boolean): void {
    const next = new Set(selected);
    for (const key of changed) {
      if (isOn) next.add(key);
      else next.delete(key);
    }
    onSelect?.(next);
  }

  function press(event: KeyboardEvent<HTMLTableRowElement>, row: Row, at: number): void {
    // Keys in a control of the row are that control's.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = MOVES[event.key];
    if (move !== undefined) {
      const next = Math.min(Math.max(move(at, rows.length), 0), rows.length - 1);
      setCurrent(next);
      body.current?.querySelectorAll<HTMLElement>(':scope > tr[tabindex]')[next]?.focus();
    } else if (props.keys?.[event.key] !== undefined) props.keys[event.key]?.(row);
    else if (event.key === 'Enter') onOpen?.(row);
    else if (event.key === ' ' && onSelect !== undefined) toggle([keyOf(row)], selected?.has(keyOf(row)) !== true);
    else return;
    event.preventDefault();
  }

  return (
    <div className={`${classes['scroll']} table-frame`}>
      <table className={classes['table']} aria-busy={isBusy}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {onSelect !== undefined && (
              <th scope="col" className={classes['check']} data-label={t('table.selectAll')}>
                <Checkbox
                  size="xs"
                  aria-label={t('table.selectAll')}
                  checked={rows.length > 0 && selectedHere === rows.length}
                  indeterminate={selectedHere > 0 && selectedHere < rows.length}
                  onChange={(event) => toggle(keys, event.currentTarget.checked)}
                />
              </th>
            )}
            {columns.map(({ id, title, isMinor }) => (
              <th key={id} scope="col" data-minor={isMinor === true || undefined}>
                {nameControls(title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, at) => (
            <Fragment key={keyOf(row)}>
              {groupOf !== undefined && startsGroup(rows, at, groupOf) && (
                <tr className={classes['group']}>
                  <th scope="rowgroup" colSpan={columns.length + (onSelect === undefined ? 0 : 1)}>
                    {groupOf(row)}
                  </th>
                </tr>
              )}
              <tr
                tabIndex={at === Math.min(current, rows.length - 1) ? 0 : -1}
                data-opens={onOpen !== undefined || undefined}
                data-selected={selected?.has(keyOf(row)) === true || undefined}
                onFocus={() => {
                  setCurrent(at);
                  onCurrent?.(row);
                }}
                onKeyDown={(event) => press(event, row, at)}
                onClick={(event) => {
                  if (!(event.target instanceof Element) || event.target.closest('a,button,input,label') !== null)
                    return;
                  onOpen?.(row);
                }}
              >
                {onSelect !== undefined && (
                  <td className={classes['check']}>
                    <Checkbox
                      size="xs"
                      tabIndex={-1}
                      aria-label={t('table.select', { key: keyOf(row) })}
                      checked={selected?.has(keyOf(row)) === true}
                      onChange={(event) => toggle([keyOf(row)], event.currentTarget.checked)}
                    />
                  </td>
                )}
                {columns.map(({ id, title, cell, isMinor }) => (
                  <td key={id} data-title={nameControls(title)} data-minor={isMinor === true || undefined}>
                    <div>{cell(row)}</div>
                  </td>
                ))}
              </tr>
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function startsGroup<Row>(rows: readonly Row[], at: number, groupOf: (row: Row) => string): boolean {
  const [before, row] = [rows[at - 1], rows[at]];
  return row !== undefined && (before === undefined || groupOf(before) !== groupOf(row));
}

type PagerProps = {
  /** Goes to the first page; null where the reader is on it. */
  readonly onFirst: (() => void) | null;
  /** Goes to the next page; null where there is none. */
  readonly onNext: (() => void) | null;
};

/** The way through a list that has cursors: pages have no numbers, and the browser's Back returns to the page before. */
export function Pager({ onFirst, onNext }: PagerProps) {
  const { t } = useTranslation();
  if (onFirst === null && onNext === null) return null;
  return (
    <nav className={classes['pager']} aria-label={t('table.pages')}>
      <Button variant="default" disabled={onFirst === null} onClick={() => onFirst?.()}>
        {t('table.first')}
      </Button>
      <Button variant="default" disabled={onNext === null} onClick={() => onNext?.()}>
        {t('table.next')}
      </Button>
    </nav>
  );
}
