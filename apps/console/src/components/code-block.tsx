type Props = { readonly label: string; readonly children: string };

/** Lines to copy or to compare, exactly as they are. The keyboard can scroll them. */
export function CodeBlock({ label, children }: Props) {
  return (
    <pre className="code" tabIndex={0} role="region" aria-label={label}>
      {children}
    </pre>
  );
}
