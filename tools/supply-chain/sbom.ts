import '../help/before-run.ts';
import { readSbom } from './read-sbom.ts';

console.log(JSON.stringify(readSbom(), null, 2));
