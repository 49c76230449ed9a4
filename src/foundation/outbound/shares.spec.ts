import { describe, expect, it } from '@jest/globals';
import { Shares } from './shares.js';

const PATIENT = new AbortController().signal;

/** Work that ends when it is told to. */
function open(): { work: () => Promise<void>; end: () => void; hasBegun: () => boolean } {
  let end = (): void => undefined;
  let begun = false;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    work: async () => {
      begun = true;
      await ended;
    },
    end: () => end(),
    hasBegun: () => begun,
  };
}

const settle = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Shares', () => {
  it('let each owner have so many at once, whatever the others have', async () => {
    const shares = new Shares(2);
    const [first, second, third, foreign] = [open(), open(), open(), open()];
    const all = [
      ...[first, second, third].map(({ work }) => shares.run('a', PATIENT, work)),
      shares.run('b', PATIENT, foreign.work),
    ];
    await settle();
    expect([first, second, third, foreign].map((one) => one.hasBegun())).toEqual([true, true, false, true]);
    second.end();
    await settle();
    expect(third.hasBegun()).toBe(true);
    for (const one of [first, third, foreign]) one.end();
    await Promise.all(all);
  });

  it('give a place back whatever became of the work, and none to those who no longer wait', async () => {
    const shares = new Shares(1);
    const impatient = new AbortController();
    const [first, given, last] = [open(), open(), open()];
    const failing = shares.run('a', PATIENT, async () => {
      await first.work();
      throw new Error('broken');
    });
    const waiting = shares.run('a', impatient.signal, given.work);
    const after = shares.run('a', PATIENT, last.work);
    impatient.abort(new Error('too slow'));
    await expect(waiting).rejects.toThrow('too slow');
    first.end();
    await expect(failing).rejects.toThrow('broken');
    last.end();
    await after;
    expect(given.hasBegun()).toBe(false);
    await expect(shares.run('a', PATIENT, async () => 'served')).resolves.toBe('served');
  });

  it('of a limited total always leave a place to whoever comes next, and are smaller the more owners there are [IDP-034]', async () => {
    const shares = new Shares(16, 192);
    const opened: Array<ReturnType<typeof open>> = [];
    const all: Array<Promise<void>> = [];
    const begin = async (owner: string, count: number): Promise<number> => {
      const mine = Array.from({ length: count }, open);
      opened.push(...mine);
      all.push(...mine.map(({ work }) => shares.run(owner, PATIENT, work)));
      await settle();
      return mine.filter((one) => one.hasBegun()).length;
    };
    expect(await begin('alone', 40)).toBeGreaterThan(10);
    for (let hostile = 0; hostile < 100; hostile += 1) await begin(`hostile ${hostile}`, 40);
    expect(await begin('victim', 1)).toBe(1);
    for (const one of opened) one.end();
    await Promise.all(all);
  });

  it('of a limited total are given to those who wait in turn', async () => {
    const shares = new Shares(16, 1);
    const [first, ...rest] = Array.from({ length: 4 }, open);
    const order: string[] = [];
    const run = async (owner: string, one: ReturnType<typeof open>): Promise<void> =>
      shares.run(owner, PATIENT, async () => {
        order.push(owner);
        await one.work();
      });
    const all = [run('a', first!), run('a', rest[0]!), run('a', rest[1]!), run('b', rest[2]!)];
    for (const one of [first!, ...rest]) one.end();
    await Promise.all(all);
    expect(order).toEqual(['a', 'a', 'b', 'a']);
  });
});
