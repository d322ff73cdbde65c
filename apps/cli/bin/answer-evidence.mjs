#!/usr/bin/env node
// Starts the CLI from a bundle of its sources, which is made again where one of them has changed.
import { pathToFileURL } from 'node:url';
import { findBundle } from './find-bundle.mjs';

await import(pathToFileURL(await findBundle()).href);
