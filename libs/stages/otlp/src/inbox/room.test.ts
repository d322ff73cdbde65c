import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Room } from './room.ts';

const never = () => new Promise<void>(() => undefined);

/** Asks for room, and notes who got it and who did not. */
function ask(room: Room, who: string, count: number, given: string[], timeUp = never): void {
  void room.take(count, timeUp).then((isGiven) => given.push(isGiven ? who : `${who} none`));
}
const settled = () => new Promise((resolve) => void setImmediate(resolve));

describe('room', () => {
  it('is given in the order in which it is asked for, also to small ones behind a large one', async () => {
    const room = new Room(10);
    const given: string[] = [];
    ask(room, 'a', 6, given);
    ask(room, 'large', 8, given);
    ask(room, 'small', 1, given);
    await settled();
    expect(given).toEqual(['a']);
    room.leave(6);
    await settled();
    expect(given).toEqual(['a', 'large', 'small']);
  });

  it('is not given after the time, and then those behind come up', async () => {
    const room = new Room(10);
    const given: string[] = [];
    const time = Promise.withResolvers<undefined>();
    ask(room, 'a', 6, given);
    ask(room, 'large', 8, given, () => time.promise);
    ask(room, 'small', 4, given);
    time.resolve(undefined);
    await settled();
    expect(given).toEqual(['a', 'large none', 'small']);
    room.leave(10);
    expect(room.isIdle).toBe(true);
  });

  it('is given whole to one who needs more than there is', async () => {
    const room = new Room(10);
    const given: string[] = [];
    ask(room, 'a', 1, given);
    ask(room, 'huge', 11, given);
    await settled();
    expect(given).toEqual(['a']);
    room.leave(1);
    await settled();
    expect(given).toEqual(['a', 'huge']);
  });

  it('is never overfull, and in the end everybody had it', async () => {
    const counts = fc.array(fc.integer({ min: 1, max: 10 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(counts, async (all) => {
        const room = new Room(10);
        let [now, most, done] = [0, 0, 0];
        await Promise.all(
          all.map(async (count) => {
            expect(await room.take(count, never)).toBe(true);
            now += count;
            most = Math.max(most, now);
            await settled();
            now -= count;
            done += 1;
            room.leave(count);
          }),
        );
        expect(most).toBeLessThanOrEqual(10);
        expect([done, room.isIdle]).toEqual([all.length, true]);
      }),
    );
  });
});
