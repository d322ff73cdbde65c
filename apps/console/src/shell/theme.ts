import { createTheme } from '@mantine/core';

/** Differences from Mantine's theme. Colors that CSS reads are in `theme.css`: the policy permits no style element. */
export const theme = createTheme({
  primaryShade: { light: 8, dark: 8 },
  cursorType: 'pointer',
  respectReducedMotion: true,
});
