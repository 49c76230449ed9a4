import type { Type } from '@nestjs/common';
import type { EnvironmentReader } from '../config/environment.js';
import type { Secret } from '../config/secret.js';

/**
 * Reads settings, one by one. Each can also come from a file that `NAME_FILE` names. What is wrong is collected, and
 * the start reports all of it at once, together with the product's own settings.
 * @public
 */
export interface SettingsReader {
  /** Undefined if it is absent or empty. */
  text(name: string): string | undefined;
  /** Undefined if it is absent or empty; no log, error or answer ever shows the value. */
  secret(name: string): Secret | undefined;
  /** Values separated by commas. */
  list(name: string): readonly string[];
  whole(name: string, limits: { readonly from: number; readonly to: number }): number | undefined;
  oneOf<T extends string>(name: string, values: readonly T[]): T | undefined;
  /** An http or https URL. */
  url(name: string): URL | undefined;
  /** The value; if it is absent, that is a mistake, and `remedy` says what to give. */
  required<T>(name: string, value: T | undefined, remedy: string): T;
  mistake(text: string): void;
}

/** A class of settings and how it is read; see `settings`. @public */
export interface ExtensionSettings {
  readonly as: Type<unknown>;
  readonly read: (env: SettingsReader) => unknown;
}

/**
 * Settings of an extension: a class, and the function that reads it. Names begin with the extension's id in capitals.
 * @public
 */
export function settings<T>(as: Type<T>, read: (env: SettingsReader) => NoInfer<T>): ExtensionSettings {
  return { as, read };
}

/** Reads through the product's reader, and keeps an extension to names of its own. */
export class ExtSettingsReader implements SettingsReader {
  private readonly prefix: string;

  constructor(
    private readonly env: EnvironmentReader,
    private readonly extension: string,
  ) {
    this.prefix = `${extension.toUpperCase()}_`;
  }

  text(name: string): string | undefined {
    return this.isOwn(name) ? this.env.text(name) : undefined;
  }

  secret(name: string): Secret | undefined {
    return this.isOwn(name) ? this.env.secret(name) : undefined;
  }

  list(name: string): readonly string[] {
    return this.isOwn(name) ? this.env.list(name) : [];
  }

  whole(name: string, limits: { readonly from: number; readonly to: number }): number | undefined {
    return this.isOwn(name) ? this.env.whole(name, limits) : undefined;
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    return this.isOwn(name) ? this.env.oneOf(name, values) : undefined;
  }

  url(name: string): URL | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (/^https?:\/\/[^/]/.test(text) && URL.canParse(text)) return new URL(text);
    this.mistake(`${name} is not an http or https URL. Give one such as https://hr.example.com.`);
    return undefined;
  }

  required<T>(name: string, value: T | undefined, remedy: string): T {
    // A value that is malformed was reported when it was read.
    if (value === undefined && !this.env.mistakes.some((mistake) => mistake.startsWith(`${name} `)))
      this.mistake(`${name} is missing. ${remedy}`);
    return value as T; // nothing starts after a mistake
  }

  mistake(text: string): void {
    this.env.mistake(text);
  }

  private isOwn(name: string): boolean {
    if (name.startsWith(this.prefix)) return true;
    this.mistake(`The extension ${this.extension} reads the setting ${name}. Its own begin with ${this.prefix}.`);
    return false;
  }
}
