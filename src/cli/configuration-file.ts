import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from '../foundation/config/environment.js';
import { YamlMistake, YamlText } from '../foundation/yaml/yaml-text.js';
import { CommandError } from './command/command-error.js';
import { readFile, readText } from './connection.js';

/** A configuration as JSON. */
export type Configuration = Readonly<Record<string, unknown>>;

const FILES = /\.(?:ya?ml|json)$/;
/** A value that stands elsewhere: in a variable of the environment, or in a file beside this one; or an image there. */
const REFERENCE = /^(env|file|image):(.+)$/s;

interface Part {
  readonly path: string;
  readonly text: YamlText;
}

/** The configuration of a file, or of all files of a folder together. */
export class ConfigurationFile {
  /** Variables that are named and not set: what they stand for is not given. */
  readonly unset: string[] = [];
  readonly configuration: Configuration;

  private constructor(
    private readonly parts: readonly Part[],
    variables: Environment,
  ) {
    const resolved = parts.map(
      ({ path, text }) => this.resolve(text.content, dirname(path), variables) as Configuration,
    );
    this.configuration = resolved.reduce((all, one) => together(all, one, []), {});
  }

  /**
   * @param path of a file, or of a folder whose `*.yaml`, `*.yml` and `*.json` say it together
   * @throws CommandError that names the line of what cannot be read
   */
  static read(path: string, variables: Environment): ConfigurationFile {
    const parts = filesAt(path).map((file) => ({ path: file, text: readYaml(file) }));
    for (const { path: file, text } of parts)
      if (!isObject(text.content)) throw new CommandError(`${file}: must begin with instance: or organizations:`);
    return new ConfigurationFile(parts, variables);
  }

  /** Where something stands, as `gatehouse.yaml:12`; for a refusal, whose field is a path with points. */
  placeOf(field: string): string {
    for (const { path, text } of this.parts) {
      const place = findMember(text.content, field);
      const line = place && text.lineOf(place);
      if (line !== undefined) return `${path}:${line}`;
    }
    return this.parts[0]!.path;
  }

  private resolve(value: unknown, folder: string, variables: Environment): unknown {
    if (Array.isArray(value))
      return value.map((one: unknown) => (isObject(one) ? this.resolve(one, folder, variables) : one));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        typeof one === 'string' ? this.fromElsewhere(one, folder, variables) : this.resolve(one, folder, variables),
      ]),
    );
  }

  private fromElsewhere(text: string, folder: string, variables: Environment): unknown {
    const [, kind, name] = REFERENCE.exec(text) ?? [];
    if (name === undefined) return text;
    if (kind === 'image') return `base64:${readFile(join(folder, name)).toString('base64')}`;
    if (kind === 'file') return { $secret: readText(join(folder, name)).replace(/\r?\n$/, '') };
    const value = variables[name];
    if (value !== undefined && value !== '') return { $secret: value };
    this.unset.push(name);
    return { $from: name };
  }
}

/** A configuration as a service has kept it, with the secrets whose variables are set. */
export function withSecrets(
  kept: Configuration,
  variables: Environment,
): Pick<ConfigurationFile, 'configuration' | 'unset'> {
  const unset: string[] = [];
  const given = (value: unknown): unknown => {
    if (!isObject(value)) return value;
    const { $from: name, ...rest } = value;
    if (typeof name !== 'string' || Object.keys(rest).length > 0) return mapped(value, given);
    const secret = variables[name];
    if (secret !== undefined && secret !== '') return { $secret: secret };
    unset.push(name);
    return value;
  };
  return { configuration: mapped(kept, given), unset };
}

function mapped(value: Configuration, to: (one: unknown) => unknown): Configuration {
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, to(one)]));
}

function filesAt(path: string): string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return [path];
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => FILES.test(name));
  if (files.length === 0) throw new CommandError(`${path} has no file that ends in .yaml, .yml or .json.`);
  return files.sort().map((name) => join(path, name));
}

function readYaml(path: string): YamlText {
  try {
    return YamlText.read(readText(path));
  } catch (error) {
    if (!(error instanceof YamlMistake)) throw error;
    throw new CommandError(`${path}${error.line === undefined ? '' : `:${error.line}`}: ${error.message}`);
  }
}

/** @throws CommandError if two files say different things of the same member */
function together(one: Configuration, other: Configuration, path: readonly string[]): Configuration {
  const result = new Map(Object.entries(one));
  for (const [name, value] of Object.entries(other)) {
    const there = result.get(name);
    const at = [...path, name];
    if (there === undefined) result.set(name, value);
    else if (isObject(there) && isObject(value)) result.set(name, together(there, value, at));
    else throw new CommandError(`Two files say ${at.join('.')}. Leave it to one of them.`);
  }
  return Object.fromEntries(result);
}

/**
 * The path of the nearest member: names may contain points themselves, so that each is looked for in what there is.
 */
function findMember(content: unknown, field: string): string[] | undefined {
  if (!isObject(content)) return undefined;
  const name = Object.keys(content)
    .filter((one) => field === one || field.startsWith(`${one}.`) || field.startsWith(`${one}[`))
    .sort((one, other) => other.length - one.length)[0];
  if (name === undefined) return undefined;
  const rest = findMember(content[name], field.slice(name.length + 1)) ?? [];
  return [name, ...rest];
}

function isObject(value: unknown): value is Configuration {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
