import type { Type } from '@nestjs/common';
import type { Extension } from './extension.js';
import { type Provided, Seam } from './seam.js';

/** An option of a command. @beta */
export interface CommandOption {
  readonly type: 'string' | 'boolean';
  /** One lower-case letter. */
  readonly short?: string;
  /** Whether it may be repeated. */
  readonly multiple?: boolean;
}

/**
 * How a command is called. It is known without the database, so that help and refusals of wrong usage need none.
 * @beta
 */
export interface CommandFacts {
  /** Lower-case letters, digits and hyphens. It is called by the id of the extension and its name: `hr:import`. */
  readonly name: string;
  /** One line in the list of commands. */
  readonly summary: string;
  /** What `--help` shows below that line. */
  readonly help?: string;
  /** What it takes besides options, each in words: `['a file']`. All of them must be given. */
  readonly takes?: readonly string[];
  /** By their names without hyphens in front. Any other option is refused. */
  readonly options?: Readonly<Record<string, CommandOption>>;
}

/** What was given to a command, checked against its facts. @beta */
export interface CommandArguments {
  /** In the order of `takes`. */
  readonly positionals: readonly string[];
  flag(name: string): boolean;
  text(name: string): string | undefined;
  /** The values of an option that may be repeated. */
  texts(name: string): readonly string[];
}

/** Where a command runs. @beta */
export interface CommandSurroundings {
  readonly input: AsyncIterable<Uint8Array | string>;
  /** For the result and nothing else. */
  readonly output: { write(text: string): unknown };
  /** For progress and errors. */
  readonly errors: { write(text: string): unknown };
  /** Aborted when the command is interrupted. It has 5 s then to end. */
  readonly signal: AbortSignal;
}

/**
 * A command of `gatehouse --with EXTENSION`: an injectable of the extension's module, which runs with the settings and
 * on the database of the service, without a listener and without what runs in the background.
 * @beta
 */
export interface ExtCommand {
  /**
   * Returns nothing, or an exit code from 0 to 125. A `DomainError` is shown as its message, and ends with 2 if its
   * kind is InvalidArgument and with 1 otherwise; any other error is a defect.
   */
  run(given: CommandArguments, around: CommandSurroundings): Promise<number | undefined | void>;
}

/** Commands have facts besides their class: see `command`. @beta */
export const COMMAND: Seam<ExtCommand> = new Seam<ExtCommand>('COMMAND', 'many');

/** A class that is a command. @beta */
export interface ProvidedCommand extends Provided {
  readonly facts: CommandFacts;
}

/** Fills COMMAND with a class, which must be a provider of the extension's module. @beta */
export function command(facts: CommandFacts, by: Type<ExtCommand>): ProvidedCommand {
  return { seam: COMMAND, by, facts };
}

const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const SHORT = /^[a-gi-z]$/;
/** The options of every command. */
const RESERVED: readonly string[] = ['help', 'with'];

/** The commands of an extension. */
export function commandsOf({ provides }: Extension): ProvidedCommand[] {
  return provides.filter((provided): provided is ProvidedCommand => provided.seam === COMMAND && 'facts' in provided);
}

/** What is wrong with the commands of extensions, each in a sentence with its remedy. */
export function commandMistakes(extensions: readonly Extension[]): string[] {
  return extensions.flatMap((extension) => [
    ...extension.provides
      .filter(({ seam }) => seam === COMMAND)
      .filter((provided) => !('facts' in provided))
      .map(
        ({ by }) =>
          `The extension ${extension.id} fills COMMAND with ${by.name} without saying how it is called: use command({ name: … }, ${by.name}).`,
      ),
    ...commandsOf(extension).flatMap(({ facts }) => factMistakes(extension.id, facts)),
    ...repeatedNames(extension),
  ]);
}

function factMistakes(id: string, { name, summary, options = {} }: CommandFacts): string[] {
  return [
    ...(NAME.test(name)
      ? []
      : [
          `"${name}" cannot be the name of a command of the extension ${id}. Choose lower-case letters, digits and hyphens.`,
        ]),
    ...(typeof summary === 'string' && summary !== '' && !summary.includes('\n')
      ? []
      : [`The command ${name} of the extension ${id} needs a summary of one line.`]),
    ...Object.entries(options).flatMap(([option, { type, short }]) =>
      NAME.test(option) &&
      !RESERVED.includes(option) &&
      (type === 'string' || type === 'boolean') &&
      (short === undefined || SHORT.test(short))
        ? []
        : [
            `The command ${name} of the extension ${id} cannot have the option "${option}". Choose another name than ${RESERVED.join(' and ')}, a type, and as short form one lower-case letter but h.`,
          ],
    ),
  ];
}

function repeatedNames(extension: Extension): string[] {
  const names = commandsOf(extension).map(({ facts }) => facts.name);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
    (name) => `The extension ${extension.id} has several commands named ${name}. Give each its own.`,
  );
}
