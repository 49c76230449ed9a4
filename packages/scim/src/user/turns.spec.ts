import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.js';

describe('turns', () => {
  it('come one after the other, also after a failure, and those of other keys beside them', async () => {
    const turns = new Turns();
    const said: string[] = [];
    const work =
      (name: string, milliseconds: number, fails = false) =>
      async (): Promise<string> => {
        said.push(`${name} begins`);
        await sleep(milliseconds);
        said.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      };
    const results = await Promise.allSettled([
      turns.take('org', work('first', 20, true)),
      turns.take('org', work('second', 1)),
      turns.take('other', work('beside', 1)),
    ]);
    expect(results).toEqual([
      { status: 'rejected', reason: new Error('first') },
      { status: 'fulfilled', value: 'second' },
      { status: 'fulfilled', value: 'beside' },
    ]);
    expect(said).toEqual([
      'first begins',
      'beside begins',
      'beside ends',
      'first ends',
      'second begins',
      'second ends',
    ]);
  });

  it('leave nothing behind', async () => {
    const turns = new Turns();
    await turns.take('org', async () => 'done');
    expect(turns).toEqual(new Turns());
  });
});
