type Child = Node | string;

/** An element with its children. Texts are only ever texts: nothing of a file is read as markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { className, ...attributes }: { readonly className?: string; readonly [attribute: string]: string | undefined } = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== undefined) made.className = className;
  for (const [attribute, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/** A table with a head; a cell that is a node stands as it is. */
export function table(head: readonly string[], rows: readonly (readonly Child[])[]): HTMLTableElement {
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...head.map((text) => element('th', { scope: 'col' }, text)))),
    element('tbody', {}, ...rows.map((cells) => element('tr', {}, ...cells.map((cell) => element('td', {}, cell))))),
  );
}

/** A table that styles know by a name. */
export function namedTable(name: string, ...[head, rows]: Parameters<typeof table>): HTMLTableElement {
  const made = table(head, rows);
  made.classList.add(name);
  return made;
}
