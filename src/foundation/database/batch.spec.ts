import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Batch } from './batch.js';

interface Question {
  readonly id: number;
}

/** A statement that runs until it is told to end. */
interface Running {
  readonly ids: readonly number[];
  end(): void;
}

let statements: Running[];

/** Its answers are the ids of the questions. */
function batchOf(mostRunning?: number): Batch<Question, number> {
  return new Batch<Question, number>(async (questions) => {
    const ids = questions.map(({ id }) => id);
    return new Promise((resolve) => statements.push({ ids, end: () => resolve(ids) }));
  }, mostRunning);
}

const idsOfAll = (): unknown[] => statements.map(({ ids }) => ids);

beforeEach(() => {
  statements = [];
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('Questions', () => {
  it('of one turn of the event loop become one statement, and each gets its answer', async () => {
    const batch = batchOf(1);
    const answers = [1, 2, 3].map(async (id) => batch.ask({ id }));
    await nextTurn();
    expect(idsOfAll()).toEqual([[1, 2, 3]]);
    statements[0]!.end();
    expect(await Promise.all(answers)).toEqual([1, 2, 3]);
  });

  it('that come while a statement runs become the next one once it has ended', async () => {
    const batch = batchOf(1);
    const answers = [];
    for (const id of [1, 2, 3]) {
      answers.push(batch.ask({ id }));
      await nextTurn();
    }
    expect(idsOfAll()).toEqual([[1]]);
    statements[0]!.end();
    await nextTurn(); // hears of the end
    await nextTurn(); // asks
    expect(idsOfAll()).toEqual([[1], [2, 3]]);
    statements[1]!.end();
    expect(await Promise.all(answers)).toEqual([1, 2, 3]);
  });

  it('do not wait once there are enough for a full statement', async () => {
    const batch = batchOf(1);
    void batch.ask({ id: 0 });
    await nextTurn();
    const ids = Array.from({ length: 17 }, (_, index) => index + 1);
    for (const id of ids) void batch.ask({ id });
    await nextTurn();
    expect(idsOfAll()).toEqual([[0], ids.slice(0, 16)]);
  });

  it('wait for a statement that takes long for 5 ms, each of them', async () => {
    const batch = batchOf(1);
    void batch.ask({ id: 1 });
    await nextTurn();
    for (const id of [2, 3]) {
      void batch.ask({ id });
      await nextTurn();
      jest.advanceTimersByTime(4);
      expect(idsOfAll()).toHaveLength(id - 1);
      jest.advanceTimersByTime(1);
      expect(idsOfAll()).toHaveLength(id);
    }
    expect(idsOfAll()).toEqual([[1], [2], [3]]);
  });

  it('wait for none where any number of statements may run', async () => {
    const batch = batchOf();
    for (const id of [1, 2]) {
      void batch.ask({ id });
      await nextTurn();
    }
    expect(idsOfAll()).toEqual([[1], [2]]);
  });

  it('wait no longer because more of them come', async () => {
    const batch = batchOf(1);
    void batch.ask({ id: 1 });
    await nextTurn();
    for (const id of [2, 3]) {
      void batch.ask({ id });
      await nextTurn();
      jest.advanceTimersByTime(2);
    }
    jest.advanceTimersByTime(1);
    expect(idsOfAll()).toEqual([[1], [2, 3]]);
  });

  it('are asked on behalf of the work that asked first, not of that which was answered before', async () => {
    const works = new AsyncLocalStorage<string>();
    const onBehalfOf: unknown[] = [];
    const ends: Array<() => void> = [];
    const batch = new Batch<Question, number>(async (questions) => {
      onBehalfOf.push(works.getStore());
      await new Promise<void>((resolve) => ends.push(resolve));
      return questions.map(({ id }) => id);
    }, 1);
    const answers = [];
    for (const [id, work] of ['first', 'second', 'third'].entries()) {
      answers.push(works.run(work, async () => batch.ask({ id })));
      await nextTurn();
    }
    ends[0]!();
    await nextTurn(); // hears of the end
    await nextTurn(); // asks
    ends[1]!();
    await Promise.all(answers);
    expect(onBehalfOf).toEqual(['first', 'second']);
  });

  it('are asked for one by one after a failure, and what comes meanwhile is asked afterwards', async () => {
    const asked: number[][] = [];
    const batch = new Batch<Question, number>(async (questions) => {
      const ids = questions.map(({ id }) => id);
      asked.push(ids);
      await nextTurn();
      if (ids.includes(2)) throw new Error('2 is at fault');
      return ids;
    }, 1);
    const answers = [1, 2].map(async (id) => batch.ask({ id }));
    await nextTurn();
    answers.push(batch.ask({ id: 3 }));
    expect(await Promise.allSettled(answers)).toMatchObject([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected' },
      { status: 'fulfilled', value: 3 },
    ]);
    expect(asked).toEqual([[1, 2], [1], [2], [3]]);
  });
});
