import { PlainText } from './plain-text.tsx';

type Props = {
  readonly label: string;
  readonly children: string;
  /** Breaks lines that are too long, where no reader copies them by hand. */
  readonly isWrapped?: boolean;
};

/** Lines to copy or to compare. The keyboard can scroll them. */
export function CodeBlock({ label, children, isWrapped = false }: Props) {
  return (
    <pre className={isWrapped ? 'code wrapped' : 'code'} tabIndex={0} role="region" aria-label={label}>
      <PlainText text={children} />
    </pre>
  );
}
