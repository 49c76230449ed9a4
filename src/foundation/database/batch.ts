import { DomainError } from '../error/domain-error.js';

/** Larger ones would keep one core of the database busy while others are idle. */
const MOST_AT_ONCE = 16;

interface Asked<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Collects what the requests of one turn of the event loop ask, to have it answered by one statement. */
export class Batch<Question extends object, Answer> {
  private waiting: Array<Asked<Question, Answer>> = [];

  /** `answerAll`: the answers in the order of the questions. */
  constructor(
    private readonly answerAll: (questions: readonly Question[]) => Promise<ReadonlyArray<Answer | undefined>>,
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
      const answers = await this.answerAll(asked.map(({ question }) => question));
      asked.forEach(({ resolve }, place) => resolve(answers[place]));
    } catch (error) {
      // One of them may be at fault: it must not fail the others.
      const isAlone = asked.length === 1 || (error instanceof DomainError && error.kind === 'Unavailable');
      if (isAlone) for (const { reject } of asked) reject(error);
      else for (const one of asked) void this.answer([one]);
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
