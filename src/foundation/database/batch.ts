import { AsyncResource } from 'node:async_hooks';
import { DomainError } from '../error/domain-error.js';

/** Larger ones would keep one core of the database busy while others are idle. */
const MOST_AT_ONCE = 16;

/** A statement that takes longer, because of a lock or a lost connection, is not waited for. */
const LONGEST_WAIT_MS = 5;

interface Asked<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects what requests ask at the same time, to have it answered by one statement: those of one turn of the event
 * loop, and those that ask while `mostRunning` statements run. These are not waited for if they take long, or if there
 * is enough for a full one.
 */
export class Batch<Question extends object, Answer> {
  private waiting: Array<Asked<Question, Answer>> = [];
  private isPlanned = false;
  private running = 0;
  private patience: NodeJS.Timeout | undefined;
  private isWaitLimited = false;
  /**
   * The context of the work that asked the first of the waiting questions: an uncaught error ends that work
   * (error/work.ts). Unlike `AsyncLocalStorage.snapshot`, which takes 7 µs, it costs next to nothing.
   */
  private onBehalf = new AsyncResource('Batch');

  /**
   * `answerAll`: the answers in the order of the questions. `mostRunning`: for look-ups, which take a fraction of a
   * millisecond; a change waits for the disk and for locks, and should not wait for that of another.
   */
  constructor(
    private readonly answerAll: (questions: readonly Question[]) => Promise<ReadonlyArray<Answer | undefined>>,
    private readonly mostRunning = Infinity,
  ) {}

  async ask(question: Question): Promise<Answer | undefined> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) this.onBehalf = new AsyncResource('Batch');
      this.waiting.push({ question, resolve, reject });
      this.plan();
    });
  }

  private plan(): void {
    if (this.isPlanned) return;
    this.isPlanned = true;
    // An immediate runs after every socket with data has been read.
    setImmediate(() => this.askNow());
  }

  private askNow(): void {
    this.isPlanned = false;
    while (this.waiting.length >= MOST_AT_ONCE || (this.waiting.length > 0 && this.running < this.mostRunning))
      this.askSome();
    if (this.waiting.length > 0 && !this.isWaitLimited) this.limitWait();
  }

  /**
   * Limits the wait, from the first question on. One timer serves all waits: a new one for each would cost more than
   * what it guards.
   */
  private limitWait(): void {
    this.isWaitLimited = true;
    if (this.patience) this.patience.refresh();
    else this.patience = setTimeout(() => this.askAll(), LONGEST_WAIT_MS).unref();
  }

  private askAll(): void {
    while (this.waiting.length > 0) this.askSome();
  }

  private askSome(): void {
    const asked = this.waiting.splice(0, MOST_AT_ONCE);
    if (this.waiting.length === 0) this.isWaitLimited = false;
    this.onBehalf.runInAsyncScope(() => void this.run(asked));
  }

  private async run(asked: ReadonlyArray<Asked<Question, Answer>>): Promise<void> {
    this.running += 1;
    await this.answer(asked);
    this.running -= 1;
    if (this.waiting.length > 0) this.plan();
  }

  private async answer(asked: ReadonlyArray<Asked<Question, Answer>>): Promise<void> {
    try {
      const answers = await this.answerAll(asked.map(({ question }) => question));
      asked.forEach(({ resolve }, place) => resolve(answers[place]));
    } catch (error) {
      // One of the questions may be at fault: it must not fail the others.
      const isAlone = asked.length === 1 || (error instanceof DomainError && error.kind === 'Unavailable');
      if (isAlone) for (const { reject } of asked) reject(error);
      else await Promise.all(asked.map(async (one) => this.answer([one])));
    }
  }
}

/** The parameter `:questions`: `FROM json_to_recordset(:questions::json) AS q(place int, …)`. */
export function toQuestions(questions: readonly object[]): { readonly questions: string } {
  return { questions: JSON.stringify(questions.map((question, place) => ({ ...question, place }))) };
}

/** The rows by the place of their question. */
export function inPlace<Row extends { readonly place: number }>(
  questions: readonly object[],
  rows: readonly Row[],
): Array<Row | undefined> {
  const found = new Map(rows.map((row) => [row.place, row]));
  return questions.map((_, place) => found.get(place));
}
