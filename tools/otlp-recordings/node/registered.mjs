// A provider that is registered before anything else is imported.
import { openProvider } from './recorded.mjs';

export const provider = openProvider();
