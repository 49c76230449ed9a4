import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Searches } from './searches.js';

describe('SCM-017: searches of an organization', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('run four at a time, the next one when one has ended or failed, and those of others beside them', async () => {
    const searches = new Searches();
    const begun: string[] = [];
    const ends: Array<(failure?: Error) => void> = [];
    const search = (name: string) => async (): Promise<string> => {
      begun.push(name);
      await new Promise<void>((resolve, reject) => {
        ends.push((failure) => (failure ? reject(failure) : resolve()));
      });
      return name;
    };
    const results = ['1', '2', '3', '4', '5', '6'].map(async (name) => searches.run('org', search(name)));
    const settled = Promise.allSettled(results);
    const other = searches.run('other', search('other'));
    await jest.advanceTimersByTimeAsync(1);
    expect(begun).toEqual(['1', '2', '3', '4', 'other']);
    ends[0]?.(new Error('broken'));
    await jest.advanceTimersByTimeAsync(1);
    expect(begun).toEqual(['1', '2', '3', '4', 'other', '5']);
    await jest.advanceTimersByTimeAsync(5_000);
    for (const end of ends) end();
    await other;
    expect((await settled).map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    await expect(results[5]).rejects.toMatchObject({ kind: 'ResourceExhausted', reason: 'scim.searches_busy' });
    const again = searches.run('org', search('again'));
    await jest.advanceTimersByTimeAsync(1);
    ends.at(-1)?.();
    expect(await again).toBe('again');
  });
});
