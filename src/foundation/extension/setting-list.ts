import type { EnvironmentReader } from '../config/environment.js';
import type { Secret } from '../config/secret.js';
import type { Extension } from './extension.js';
import { ExtSettingsReader, type SettingsReader } from './extension-settings.js';

/** A setting that an extension reads. */
export interface ListedSetting {
  readonly extension: string;
  readonly name: string;
  /** In words: `a URL`, `10 to 99`. */
  readonly accepts: string;
  /** The value to give; undefined if none has to be given. */
  readonly remedy: string | undefined;
  /** The variable that holds the value or the name of its file; undefined if there is none. */
  readonly givenBy: string | undefined;
}

type Read = Pick<ListedSetting, 'name' | 'accepts'> & { remedy?: string };

/** The settings that extensions read in this environment, in the order in which they do. Never their values. */
export function listSettings(extensions: readonly Extension[], env: EnvironmentReader): ListedSetting[] {
  return extensions.flatMap(({ id, settings }) => {
    const recorder = new SettingsRecorder(new ExtSettingsReader(env, id));
    for (const { read } of settings) {
      try {
        read(recorder);
      } catch {
        // A class that is made of a value that is missing may fail because of that; what it has read is known.
      }
    }
    return [...recorder.found.values()].map(({ name, accepts, remedy }) => ({
      extension: id,
      name,
      accepts,
      remedy,
      givenBy: env.givenBy(name),
    }));
  });
}

/** Notes what is read, beside reading it. */
class SettingsRecorder implements SettingsReader {
  readonly found = new Map<string, Read>();

  constructor(private readonly reader: SettingsReader) {}

  text(name: string): string | undefined {
    this.note(name, 'a text');
    return this.reader.text(name);
  }

  secret(name: string): Secret | undefined {
    this.note(name, 'a secret');
    return this.reader.secret(name);
  }

  list(name: string): readonly string[] {
    this.note(name, 'values, separated by commas');
    return this.reader.list(name);
  }

  whole(name: string, limits: { readonly from: number; readonly to: number }): number | undefined {
    this.note(name, `${limits.from} to ${limits.to}`);
    return this.reader.whole(name, limits);
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    this.note(name, values.join(', '));
    return this.reader.oneOf(name, values);
  }

  url(name: string): URL | undefined {
    this.note(name, 'an http or https URL');
    return this.reader.url(name);
  }

  required<T>(name: string, value: T | undefined, remedy: string): T {
    const read = this.found.get(name);
    if (read) read.remedy = remedy;
    return this.reader.required(name, value, remedy);
  }

  mistake(text: string): void {
    this.reader.mistake(text);
  }

  private note(name: string, accepts: string): void {
    if (!this.found.has(name)) this.found.set(name, { name, accepts });
  }
}
