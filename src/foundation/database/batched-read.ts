import { DomainError } from '../error/domain-error.js';
import type { Database } from './database.js';
import type { Statement } from './statement.js';

/** Larger ones would keep one core of the database busy while others are idle. */
const MOST_AT_ONCE = 16;

interface Asked<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface Row<Answer> {
  readonly place: number;
  readonly answer: Answer | null;
}

/**
 * A query that many requests make at the same time. Those of one turn of the event loop go to the database in one
 * statement, which costs little more than a single one. Each runs after its request arrived and nothing is cached: the
 * answer is as fresh as that of a separate statement.
 * `:questions` of the statement is their list as JSON, each with its `place` (`FROM json_to_recordset(:questions::json)
 * AS q(place int, …)`); it returns rows of `place` and `answer`, which is JSON, or null for no.
 */
export class BatchedRead<Question extends object, Answer> {
  private waiting: Array<Asked<Question, Answer>> = [];

  constructor(
    private readonly database: Database,
    private readonly statement: Statement<{ readonly questions: string }>,
  ) {}

  async ask(question: Question): Promise<Answer | undefined> {
    return new Promise((resolve, reject) => {
      // An immediate runs after every socket with data has been read.
      if (this.waiting.length === 0) setImmediate(() => this.askAll());
      this.waiting.push({ question, resolve, reject });
    });
  }

  private askAll(): void {
    const all = this.waiting;
    this.waiting = [];
    for (let from = 0; from < all.length; from += MOST_AT_ONCE) void this.answer(all.slice(from, from + MOST_AT_ONCE));
  }

  private async answer(asked: ReadonlyArray<Asked<Question, Answer>>): Promise<void> {
    try {
      const questions = JSON.stringify(asked.map(({ question }, place) => ({ ...question, place })));
      const rows = await this.database.query(this.statement.rows<Row<Answer>>(), { questions });
      const answers = new Map(rows.map(({ place, answer }) => [place, answer ?? undefined]));
      asked.forEach(({ resolve }, place) => resolve(answers.get(place)));
    } catch (error) {
      // One of them may be at fault: it must not fail the others.
      const isAlone = asked.length === 1 || (error instanceof DomainError && error.kind === 'Unavailable');
      if (isAlone) for (const { reject } of asked) reject(error);
      else for (const one of asked) void this.answer([one]);
    }
  }
}
