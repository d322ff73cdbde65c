import { type RefObject, useEffect } from 'react';

/** Lets `/`, where nobody is typing, and Ctrl-K or Command-K everywhere lead to a field. */
export function useSearchKeys(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      const isCommand = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey;
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
      if (!isCommand && !isSlash) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [field]);
}

/** Whether keys that are pressed there write something, or belong to a dialog. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('input,textarea,select,[contenteditable],[role="dialog"]') !== null
  );
}
