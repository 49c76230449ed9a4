import { Batch, inPlace, toQuestions } from './batch.js';
import type { Database } from './database.js';
import { sharedTransaction } from './shared-transaction.js';
import type { Statement } from './statement.js';

/** A change as two statements: one for several rows, one for a row that is locked. */
export interface ChangeForms<Question extends object, Row extends object> {
  /**
   * Writes several rows. `:questions` is the list as in `BatchedRead`; each row of the result also has the `place` of
   * its question. It must skip rows that are locked (`SKIP LOCKED`): it never waits for the row of one caller on behalf
   * of another, and two of them never wait for each other.
   */
  readonly together: Statement<{ readonly questions: string }>;
  /** Writes one row, and waits for it. */
  readonly alone: (question: Question) => Promise<Row | undefined>;
}

/**
 * A change that many requests make at the same time, each of a row of its own. Those of one turn of the event loop
 * become one statement and one commit; look-ups do so in `BatchedRead`. What was skipped or refused there is asked
 * again alone.
 */
export class BatchedWrite<Question extends object, Row extends object> {
  private readonly batch: Batch<Question, { readonly row: Row | undefined }>;

  constructor(
    database: Database,
    private readonly forms: ChangeForms<Question, Row>,
  ) {
    const rows = forms.together.rows<Row & { readonly place: number }>();
    this.batch = new Batch<Question, { readonly row: Row | undefined }>(async (questions) => {
      const [first] = questions;
      if (first && questions.length === 1) return [{ row: await forms.alone(first) }];
      const found = await database.query(rows, toQuestions(questions));
      return inPlace(questions, found).map((row) => row && { row });
    });
  }

  /** The changed row; undefined if nothing was to be changed. */
  async ask(question: Question): Promise<Row | undefined> {
    if (sharedTransaction()) return this.forms.alone(question);
    const answer = await this.batch.ask(question);
    return answer ? answer.row : this.forms.alone(question);
  }
}
