import { Fragment } from 'react';
import { splitControls } from './split-controls.ts';

type Props = {
  readonly text: string;
  /** A long text in a frame of its own, which scrolls; else it runs with the words around it. */
  readonly isBlock?: boolean;
  /** Names a frame for screen readers. */
  readonly label?: string;
};

/**
 * A text of a tenant as it is: never as markup, apart from the direction of what is around it, with the characters that
 * would turn or hide parts of it shown by their numbers.
 */
export function PlainText({ text, isBlock = false, label }: Props) {
  const parts = splitControls(text).map(({ value, code }, at) =>
    code === undefined ? (
      <Fragment key={at}>{value}</Fragment>
    ) : (
      <span key={at} className="control">
        {code}
      </span>
    ),
  );
  if (!isBlock) return <bdi className="wrapped">{parts}</bdi>;
  return (
    <div className="text-frame wrapped" dir="auto" tabIndex={0} role="region" aria-label={label}>
      {parts}
    </div>
  );
}
