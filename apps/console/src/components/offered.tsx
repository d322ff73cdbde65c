type Props = { readonly id: string; readonly values: readonly string[] };

/** What a field offers whose `list` is this id; nothing where there is nothing to offer. */
export function Offered({ id, values }: Props) {
  if (values.length === 0) return null;
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}

/** What the field is told of them: without any it stays a plain field. */
export function listOf(id: string, values: readonly string[]): { readonly list?: string } {
  return values.length === 0 ? {} : { list: id };
}
