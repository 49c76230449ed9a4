import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HashLane } from './hash-lane.js';

/** A lane, and work that ends on demand. */
function laneOf(
  places: number,
  maxOfTurn?: number,
): {
  begin: (from: string, name: string, id: string) => Promise<string>;
  begun: string[];
  finish: (id: string) => Promise<void>;
} {
  const lane = new HashLane(places, maxOfTurn);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    begin: (from, name, id) =>
      lane.run({ from, name }, () => {
        begun.push(id);
        return new Promise<string>((resolve) => ends.set(id, () => resolve(id)));
      }),
    finish: async (id) => {
      ends.get(id)!();
      await jest.advanceTimersByTimeAsync(0);
    },
  };
}

const settled = (work: Promise<string>): Promise<string> => work.catch((error: { reason: string }) => error.reason);

describe('A lane of password checks', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('runs as many at once as it has places, and the next one when one of them ends', async () => {
    const { begin, begun, finish } = laneOf(2);
    const all = ['1', '2', '3', '4'].map((id) => settled(begin('here', id, id)));
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['1', '2']);
    await finish('2');
    expect(begun).toEqual(['1', '2', '3']);
    for (const id of ['1', '3', '4']) await finish(id);
    expect(await Promise.all(all)).toEqual(['1', '2', '3', '4']);
  });

  it('does not delay others by many checks of one name, or of one network', async () => {
    const { begin, begun, finish } = laneOf(1);
    for (let n = 0; n < 8; n += 1) void settled(begin('attacker', `name ${n % 2}`, `attack ${n}`));
    void settled(begin('office', 'alice', 'alice'));
    void settled(begin('home', 'bob', 'bob'));
    await jest.advanceTimersByTimeAsync(0);
    await finish('attack 0');
    await finish('attack 1');
    await finish('alice');
    expect(begun).toEqual(['attack 0', 'attack 1', 'alice', 'bob']);
  });

  it('refuses only checks beyond the limit of one network and name', async () => {
    const { begin, begun, finish } = laneOf(1, 10);
    const attacks = Array.from({ length: 12 }, (_, n) => settled(begin('attacker', 'name', `attack ${n}`)));
    const other = settled(begin('office', 'name', 'other'));
    expect(await attacks[11]).toBe('password.busy');
    await finish('attack 0');
    await finish('attack 1');
    await finish('other');
    expect(await other).toBe('other');
    expect(begun).not.toContain('attack 11');
  });

  it('has a place for another network however many checks wait: the network with the most waiting checks gives one up', async () => {
    const { begin, begun, finish } = laneOf(1);
    const attacks = Array.from({ length: 501 }, (_, n) => settled(begin('attacker', `name ${n}`, `attack ${n}`)));
    const alice = settled(begin('office', 'alice', 'alice'));
    expect(await attacks[500]).toBe('password.busy');
    expect(await settled(begin('attacker', 'one more', 'one more'))).toBe('password.busy');
    await finish('attack 0');
    await finish('attack 1');
    await finish('alice');
    expect(await alice).toBe('alice');
    expect(begun).not.toContain('attack 500');
  });

  it('refuses a newcomer where as many networks wait as may, each with one check', async () => {
    const { begin, begun, finish } = laneOf(1);
    void settled(begin('first', 'a', 'first'));
    for (let n = 0; n < 500; n += 1) void settled(begin(`network ${n}`, 'a', `check ${n}`));
    expect(await settled(begin('late', 'a', 'late'))).toBe('password.busy');
    await finish('first');
    expect(begun).toEqual(['first', 'check 0']);
  });

  it('lets no check wait for longer than five to eight seconds, and says when to try again', async () => {
    const { begin, begun, finish } = laneOf(1);
    void settled(begin('here', 'a', '1'));
    const second = begin('here', 'b', '2').catch((error: unknown) => error);
    const others = Array.from({ length: 20 }, (_, n) => settled(begin('elsewhere', `name ${n}`, `other ${n}`)));
    await jest.advanceTimersByTimeAsync(4_999);
    expect(await Promise.race([second, ...others, Promise.resolve('waiting')])).toBe('waiting');
    await jest.advanceTimersByTimeAsync(3_001);
    expect(await second).toMatchObject({ kind: 'ResourceExhausted', reason: 'password.busy', retryAfterSeconds: 5 });
    expect(new Set(await Promise.all(others))).toEqual(new Set(['password.busy']));
    const third = settled(begin('here', 'c', '3'));
    await finish('1');
    await finish('3');
    expect(await third).toBe('3');
    expect(begun).toEqual(['1', '3']); // A caller who has gone is not served.
  });

  it('ends the wait for a check that takes longer than a request may, but keeps its place until it has finished', async () => {
    const { begin, begun, finish } = laneOf(1);
    const first = settled(begin('here', 'a', '1'));
    await jest.advanceTimersByTimeAsync(20_000);
    expect(await first).toBe('password.busy');
    const second = settled(begin('here', 'b', '2'));
    expect(begun).toEqual(['1']);
    await finish('1');
    await finish('2');
    expect(await second).toBe('2');
  });

  it('gives its place back when the work fails', async () => {
    const lane = new HashLane(1);
    await expect(lane.run({ from: 'here', name: 'a' }, () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
    expect(await lane.run({ from: 'here', name: 'a' }, () => Promise.resolve('next'))).toBe('next');
  });
});
