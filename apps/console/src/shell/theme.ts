import { Button, createTheme, Input } from '@mantine/core';

/** Differences from Mantine's theme. Colors that CSS reads are in `theme.css`: the policy permits no style element. */
export const theme = createTheme({
  primaryShade: { light: 8, dark: 8 },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // What is pressed or filled in is as high as two lines of text, and not higher.
    Button: Button.extend({
      vars: (_, { size }) => ({
        root: size === undefined ? { '--button-height': '2rem', '--button-padding-x': '0.8rem' } : {},
      }),
    }),
    Input: Input.extend({ vars: () => ({ wrapper: { '--input-height': '2rem', '--input-fz': '0.875rem' } }) }),
  },
});
