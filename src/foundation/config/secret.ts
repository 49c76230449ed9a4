import { inspect } from 'node:util';

/**
 * A value that must not reach a log, an error or an answer: every way of printing it gives `[secret]`. Only `reveal()`
 * returns the value, so that a search for that word finds every use.
 * @public
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}
