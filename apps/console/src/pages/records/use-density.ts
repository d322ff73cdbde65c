import { useState } from 'react';

const NAME = 'answer-evidence.density';

/** Whether rows stand close to each other, as this browser keeps it. */
export function useDensity(): { readonly isCompact: boolean; readonly toggle: () => void } {
  const [isCompact, setCompact] = useState(() => localStorage.getItem(NAME) === 'compact');
  const toggle = () => {
    localStorage.setItem(NAME, isCompact ? 'comfortable' : 'compact');
    setCompact(!isCompact);
  };
  return { isCompact, toggle };
}
