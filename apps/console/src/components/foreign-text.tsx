import { showHidden } from './show-hidden.ts';

type Props = { readonly children: string; readonly isMono?: boolean };

/** A text that somebody else wrote, as what it is: no markup, no change of direction, nothing invisible. */
export function ForeignText({ children, isMono = false }: Props) {
  return <bdi className={isMono ? 'mono wrapped' : 'wrapped'}>{showHidden(children)}</bdi>;
}
