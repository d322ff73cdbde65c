import { assertSize } from './hashes.ts';
import { MerkleError } from './merkle-error.ts';
import { TILE_WIDTH } from './tiles.ts';

/** A tile or an entry bundle; `width` is 256 for a full one. */
export type TilePath = { readonly level: number | 'entries'; readonly index: number; readonly width: number };

const LEVEL_MAX = 63;
const PATH = /^tile\/(entries|0|[1-9][0-9]?)\/((?:x[0-9]{3}\/)*[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/;

/** The path of a tile below a log's prefix (C2SP tlog-tiles), such as `tile/0/x001/234.p/17`. */
export function formatTilePath(level: number | 'entries', index: number, width: number = TILE_WIDTH): string {
  assertSize(index);
  if (level !== 'entries' && !(Number.isInteger(level) && level >= 0 && level <= LEVEL_MAX)) {
    throw new MerkleError('a tile level is from 0 to 63');
  }
  if (!Number.isInteger(width) || width < 1 || width > TILE_WIDTH) {
    throw new MerkleError('a tile width is from 1 to 256');
  }
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g) ?? [];
  const path = groups.map((group, i) => (i < groups.length - 1 ? 'x' + group : group)).join('/');
  return `tile/${level}/${path}` + (width === TILE_WIDTH ? '' : `.p/${width}`);
}

/** Reads a path and accepts only what `formatTilePath` writes. Throws `MerkleError`. */
export function parseTilePath(path: string): TilePath {
  const [, levelText, indexText, widthText] = PATH.exec(path) ?? [];
  if (levelText === undefined || indexText === undefined) throw new MerkleError('not the path of a tile');
  const level = levelText === 'entries' ? levelText : Number(levelText);
  const index = Number(indexText.replaceAll('x', '').replaceAll('/', ''));
  const width = widthText === undefined ? TILE_WIDTH : Number(widthText);
  // A needless leading group, a level or width out of range, and an index that rounds all fail here.
  if (formatTilePath(level, index, width) !== path) throw new MerkleError('not the path of a tile');
  return { level, index, width };
}
