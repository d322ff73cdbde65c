import { Tinypool } from 'tinypool';

/**
 * Has memory of a result move from the thread that made it to the one that asked for it; the rest of it is copied. All
 * of it is copied where the program of the threads has another copy of the pool's code than this one.
 */
export function moveResult<Result extends object>(result: Result, memory: readonly ArrayBuffer[]): Result {
  Object.defineProperty(result, Tinypool.transferableSymbol, { value: memory });
  Object.defineProperty(result, Tinypool.valueSymbol, { value: result });
  Tinypool.move(result as Parameters<typeof Tinypool.move>[0]);
  return result;
}
