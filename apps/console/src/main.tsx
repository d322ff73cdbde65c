import './shell/mantine.css';
import './shell/theme.css';
// Zod is told before anything is loaded that has schemas; the build keeps this order.
import './shell/without-eval.ts';
import { start } from './shell/start.tsx';

await start();
