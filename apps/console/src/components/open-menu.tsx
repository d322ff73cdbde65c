import { Button, type ButtonProps, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './open-menu.module.css';

/** A part of a menu: something to choose, words above what belongs together, or a line between. */
type MenuPart =
  | {
      readonly kind: 'item';
      readonly key: string;
      readonly title: ReactNode;
      readonly onChoose: () => void;
      readonly isCurrent?: boolean;
      readonly isDisabled?: boolean;
      readonly lang?: string;
    }
  | { readonly kind: 'label'; readonly title: string }
  | { readonly kind: 'line' };

export type MenuProps = {
  readonly title: ReactNode;
  readonly parts: readonly MenuPart[];
  readonly button?: Pick<ButtonProps, 'variant' | 'size'>;
};

const NAMES = { dropdown: classes['dropdown'] ?? '', itemLabel: classes['label'] ?? '' };

/** A menu that is open at first, as its button was pressed before it was here. */
export function OpenMenu({ title, parts, button }: MenuProps) {
  return (
    <Menu defaultOpened position="bottom-end" returnFocus transitionProps={{ duration: 0 }} classNames={NAMES}>
      <Menu.Target>
        <Button {...button}>{title}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {parts.map((part, at) => {
          if (part.kind === 'line') return <Menu.Divider key={at} />;
          if (part.kind === 'label') return <Menu.Label key={at}>{part.title}</Menu.Label>;
          const { key, title: name, onChoose, isCurrent, isDisabled = false, lang } = part;
          return (
            <Menu.Item key={key} lang={lang} onClick={onChoose} disabled={isDisabled} aria-current={isCurrent}>
              {name} {isCurrent === true && '✓'}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
