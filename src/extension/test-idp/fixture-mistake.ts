/** What is wrong at a place of a fixture: `['users', 'alice', 'email']`. */
export interface FixtureMistake {
  readonly path: readonly (string | number)[];
  /** The rest of a sentence whose beginning is the path. */
  readonly problem: string;
}

/** Everything that is wrong with a fixture, a sentence each. */
export class FixtureError extends Error {
  constructor(readonly mistakes: readonly string[]) {
    super(
      `The fixture has ${mistakes.length === 1 ? 'a mistake' : 'mistakes'}.\n${mistakes.map((one) => `  ${one}`).join('\n')}`,
    );
    this.name = 'FixtureError';
  }
}
