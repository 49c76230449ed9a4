import { describe, expect, it } from '@jest/globals';
import { FairQueue } from './fair-queue.js';

/** Adds `from/name/number` for each word and returns the order in which they leave. */
function orderOf(items: readonly string[], queue = new FairQueue<string>(100)): string[] {
  for (const item of items) queue.add(item.split('/').slice(0, 2), item);
  return Array.from({ length: queue.size }, () => queue.take()!);
}

describe('A fair queue', () => {
  it('keeps the order of one path', () => {
    expect(orderOf(['a/x/1', 'a/x/2', 'a/x/3'])).toEqual(['a/x/1', 'a/x/2', 'a/x/3']);
  });

  it('lets first keys take turns, however many items one of them has', () => {
    expect(orderOf(['a/x/1', 'a/x/2', 'a/x/3', 'b/y/1', 'c/z/1'])).toEqual([
      'a/x/1',
      'b/y/1',
      'c/z/1',
      'a/x/2',
      'a/x/3',
    ]);
  });

  it('lets second keys take turns below a first one', () => {
    expect(orderOf(['a/x/1', 'a/x/2', 'a/y/1', 'a/z/1', 'b/x/1', 'b/x/2'])).toEqual([
      'a/x/1',
      'b/x/1',
      'a/y/1',
      'b/x/2',
      'a/z/1',
      'a/x/2',
    ]);
  });

  it('forgets who does not wait any more', () => {
    const queue = new FairQueue<number>(2);
    for (const [n, path] of [
      ['a', 'x'],
      ['a', 'x'],
      ['a', 'y'],
      ['b', 'x'],
    ].entries())
      queue.add(path, n);
    expect([
      queue.remove(['a', 'x'], 0),
      queue.remove(['a', 'x'], 0),
      queue.remove(['b', 'x'], 3),
      queue.remove(['c'], 3),
    ]).toEqual([true, false, true, false]);
    expect([queue.size, queue.add(['a', 'x'], 4), queue.add(['a', 'x'], 5)]).toEqual([2, true, false]);
    expect(Array.from({ length: 4 }, () => queue.take())).toEqual([1, 2, 4, undefined]);
  });

  it('drops the newest item of the longest line; among equally long lines, of the one whose turn comes last', () => {
    const queue = new FairQueue<string>(100);
    for (const item of ['b/x/1', 'a/x/1', 'a/y/1', 'a/y/2', 'c/z/1']) queue.add(item.split('/').slice(0, 2), item);
    expect(Array.from({ length: 6 }, () => queue.dropNewest())).toEqual([
      'a/y/2',
      'a/y/1',
      'c/z/1',
      'a/x/1',
      'b/x/1',
      undefined,
    ]);
    expect([queue.size, queue.take()]).toEqual([0, undefined]);
  });

  it('refuses what goes beyond the limit of a path, and counts only what it took', () => {
    const queue = new FairQueue<number>(2);
    expect([
      queue.add(['a', 'x'], 1),
      queue.add(['a', 'x'], 2),
      queue.add(['a', 'x'], 3),
      queue.add(['a', 'y'], 4),
      queue.add(['b', 'x'], 5),
    ]).toEqual([true, true, false, true, true]);
    expect(queue.size).toBe(4);
    expect(Array.from({ length: 6 }, () => queue.take())).toEqual([1, 5, 4, 2, undefined, undefined]);
    expect(queue.size).toBe(0);
    expect(queue.add(['a', 'x'], 6)).toBe(true);
    expect(queue.take()).toBe(6);
  });
});
