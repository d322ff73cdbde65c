import { Button, Menu } from '@mantine/core';
import type { ActionMenuProps } from './action-menu.tsx';

/** A menu that is open at first, as its button was pressed before it was here. */
export function OpenMenu({ title, parts, button }: ActionMenuProps) {
  return (
    <Menu defaultOpened position="bottom-end" returnFocus transitionProps={{ duration: 0 }}>
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
