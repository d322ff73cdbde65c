#!/usr/bin/env node
// Starts the CLI from a bundle of its sources, which is made again where one of them has changed.
import { findBundle } from './find-bundle.mjs';

const path = process.getBuiltinModule('node:path');
const bundle = await findBundle();
// What V8 has compiled of it is kept beside it, if it can be.
process.getBuiltinModule('node:module').enableCompileCache?.(path.join(path.dirname(bundle), 'compiled'));
await import(process.getBuiltinModule('node:url').pathToFileURL(bundle).href);
