import { YamlMistake, YamlText } from '../../foundation/yaml/yaml-text.js';
import { FixtureError, type FixtureMistake } from './fixture-mistake.js';

/** A fixture as it is written: its content, and where in the text each member stands. */
export class FixtureText {
  private constructor(
    private readonly name: string,
    readonly content: unknown,
    private readonly yaml?: YamlText,
  ) {}

  /** JSON is YAML. @throws FixtureError if it is neither */
  static read(text: string, name: string): FixtureText {
    try {
      const yaml = YamlText.read(text);
      return new FixtureText(name, yaml.content, yaml);
    } catch (error) {
      if (!(error instanceof YamlMistake)) throw error;
      const place = error.line === undefined ? name : `${name}:${error.line}`;
      throw new FixtureError([`${place}: ${error.message}`]);
    }
  }

  /** A fixture that is an object of a program. */
  static of(content: unknown): FixtureText {
    return new FixtureText('fixture', content);
  }

  /** The mistakes as sentences, each with its line, or that of the nearest member around it. */
  toError(mistakes: readonly FixtureMistake[]): FixtureError {
    return new FixtureError(
      mistakes.map(({ path, problem }) => {
        const line = this.yaml?.lineOf(path);
        const place = line === undefined ? this.name : `${this.name}:${line}`;
        return `${place}: ${path.join('.')} ${problem}`;
      }),
    );
  }
}
