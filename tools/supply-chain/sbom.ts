import '../help/before-run.ts';
import { readFileSync } from 'node:fs';
import { createSbom, type LockedPackage } from './create-sbom.ts';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
console.log(JSON.stringify(createSbom(lock.packages), null, 2));
