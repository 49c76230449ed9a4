import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { usage } from './command-error.js';

/** The arguments of a command, checked against its options. */
export class Arguments {
  private constructor(
    private readonly values: Readonly<Record<string, unknown>>,
    readonly positionals: readonly string[],
  ) {}

  /** @throws CommandError for an unknown option */
  static parse(args: readonly string[], options: ParseArgsOptionsConfig): Arguments {
    try {
      const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
      return new Arguments(values, positionals);
    } catch (error) {
      throw usage((error as Error).message.split(/\. To specify/)[0]!);
    }
  }

  flag(name: string): boolean {
    return this.values[name] === true;
  }

  text(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === 'string' ? value : undefined;
  }

  texts(name: string): readonly string[] {
    const value = this.values[name];
    return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
  }
}
