import { EncodingProblem } from './file-encoding.js';
import { Secret } from './secret.js';

/** Settings by the names of their environment variables. @public */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Every mistake in the settings at once; `message` names each setting and its remedy. @public */
export class ConfigError extends Error {
  constructor(
    readonly mistakes: readonly string[],
    subject = 'settings',
  ) {
    super(
      `The ${subject} contain ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n` +
        mistakes.map((mistake) => `  - ${mistake}`).join('\n'),
    );
    this.name = 'ConfigError';
  }
}

/** Reads settings one by one and collects what is wrong with them instead of stopping at the first. */
export class EnvironmentReader {
  readonly mistakes: string[] = [];
  /** Every setting that was asked for. */
  readonly names = new Set<string>();
  /** The name that the message of `ConfigError` gives to what contains the mistakes. */
  subject = 'settings';

  constructor(
    private readonly environment: Environment,
    private readonly readFile: (path: string) => string,
  ) {}

  mistake(text: string): void {
    this.mistakes.push(text);
  }

  /** The value, or that of the file which `NAME_FILE` names; empty counts as absent. */
  text(name: string): string | undefined {
    this.names.add(name);
    const value = this.environment[name] || undefined;
    const path = this.environment[`${name}_FILE`] || undefined;
    if (path === undefined) return value;
    if (value !== undefined) this.mistake(`${name} and ${name}_FILE are both set. Keep one of them.`);
    try {
      return this.readFile(path).trim() || undefined;
    } catch (error) {
      if (error instanceof EncodingProblem) this.mistake(`${name}_FILE names "${path}", which ${error.message}.`);
      else this.mistake(`${name}_FILE names "${path}", which cannot be read. Check the path and its permissions.`);
      return undefined;
    }
  }

  /**
   * The variable that holds the value or the name of its file, whether that can be read or not; undefined if there is
   * none.
   */
  givenBy(name: string): string | undefined {
    return [name, `${name}_FILE`].find((variable) => this.environment[variable]);
  }

  /** The file that the value is from. */
  fileOf(name: string): string | undefined {
    return this.environment[`${name}_FILE`] || undefined;
  }

  secret(name: string): Secret | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : new Secret(value);
  }

  list(name: string): readonly string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
  }

  whole(name: string, limits: { from: number; to: number }): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= limits.from && value <= limits.to) return value;
    this.mistake(`${name} is "${text}". Give an integer from ${limits.from} to ${limits.to}.`);
    return undefined;
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const known = values.find((value) => value === text);
    if (known === undefined) this.mistake(`${name} is "${text}". Give one of: ${values.join(', ')}.`);
    return known;
  }
}
