import { createTheme, Menu, Tooltip } from '@mantine/core';

/** Differences from Mantine's theme. Colors that CSS reads are in `theme.css`: the policy permits no style element. */
export const theme = createTheme({
  primaryShade: { light: 8, dark: 8 },
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Whatever opens is there at once, and gone at once.
  components: {
    Menu: Menu.extend({ defaultProps: { transitionProps: { duration: 0 } } }),
    Tooltip: Tooltip.extend({ defaultProps: { transitionProps: { duration: 0 } } }),
  },
});
