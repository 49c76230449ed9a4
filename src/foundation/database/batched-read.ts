import { Batch, inPlace, toQuestions } from './batch.js';
import type { Database } from './database.js';
import { sharedTransaction } from './shared-transaction.js';
import type { Statement } from './statement.js';

interface Row<Answer> {
  readonly place: number;
  readonly answer: Answer | null;
}

/** A look-up takes a fraction of a millisecond: waiting for one costs less than a statement of one's own. */
const MOST_RUNNING = 1;

/**
 * A query that many requests make at the same time. Those of one turn of the event loop, and those that come while a
 * statement runs, go to the database in one statement, which costs little more than a single one. Each runs after its
 * request arrived and nothing is cached: the answer is as fresh as that of a separate statement. `:questions` of the
 * statement is their list as JSON, each with its `place` (`FROM json_to_recordset(:questions::json) AS q(place int,
 * …)`); it returns rows of `place` and `answer`, which is JSON, or null for no.
 */
export class BatchedRead<Question extends object, Answer> {
  private readonly batch: Batch<Question, Answer>;
  private readonly answerAll: (questions: readonly Question[]) => Promise<ReadonlyArray<Answer | undefined>>;

  constructor(database: Database, statement: Statement<{ readonly questions: string }>) {
    const rows = statement.rows<Row<Answer>>();
    this.answerAll = async (questions) => {
      const found = await database.query(rows, toQuestions(questions));
      return inPlace(questions, found).map((row) => row?.answer ?? undefined);
    };
    this.batch = new Batch(this.answerAll, MOST_RUNNING);
  }

  async ask(question: Question): Promise<Answer | undefined> {
    return sharedTransaction() ? (await this.answerAll([question]))[0] : this.batch.ask(question);
  }
}
