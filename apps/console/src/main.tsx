import './shell/mantine.css';
import './shell/theme.css';
import './shell/without-eval.ts';

// What has schemas is loaded only after Zod has been told.
const { start } = await import('./shell/start.tsx');
await start();
