import { useState } from 'react';

const KEPT_AS = 'answer-evidence.motion';

/** Whether things move on the page: the reader's choice, which this browser keeps. */
export function useMotion(): readonly [isOn: boolean, setOn: (isOn: boolean) => void] {
  const [isOn, setOn] = useState(isMotionOn);
  return [
    isOn,
    (next) => {
      try {
        localStorage.setItem(KEPT_AS, next ? 'on' : 'off');
      } catch {
        // A browser that keeps nothing has it until the page is left.
      }
      document.documentElement.dataset['motion'] = next ? 'on' : 'off';
      setOn(next);
    },
  ];
}

/** Brings back what the reader chose before; called before anything is shown. */
export function restoreMotion(): void {
  if (!isMotionOn()) document.documentElement.dataset['motion'] = 'off';
}

function isMotionOn(): boolean {
  try {
    return localStorage.getItem(KEPT_AS) !== 'off';
  } catch {
    return true;
  }
}
