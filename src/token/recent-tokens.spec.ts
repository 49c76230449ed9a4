import { describe, expect, it } from '@jest/globals';
import { RecentTokens } from './recent-tokens.js';

describe('What was read from recent tokens', () => {
  it('is found by the whole token only', () => {
    const recent = new RecentTokens<{ id: string }>();
    recent.keep('gta_abc', { id: 'a' });
    expect(recent.find('gta_abc')).toEqual({ id: 'a' });
    expect(recent.find('gta_ab')).toBeUndefined();
    expect(recent.find('gta_abcd')).toBeUndefined();
  });

  it('gives way to newer tokens, the least recently used first', () => {
    const recent = new RecentTokens<{ id: string }>(2);
    recent.keep('a', { id: 'a' });
    recent.keep('b', { id: 'b' });
    recent.find('a');
    recent.keep('c', { id: 'c' });
    expect(['a', 'b', 'c'].map((token) => recent.find(token)?.id)).toEqual(['a', undefined, 'c']);
  });

  it('does not hold long tokens, which would take the memory of many others', () => {
    const recent = new RecentTokens<{ id: string }>();
    recent.keep('a'.repeat(2_049), { id: 'a' });
    expect(recent.find('a'.repeat(2_049))).toBeUndefined();
  });
});
