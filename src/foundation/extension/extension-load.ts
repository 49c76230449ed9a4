import { ConfigError, type EnvironmentReader } from '../config/environment.js';
import { DEPRECATIONS, type Deprecation, deprecatedIn } from './deprecation.js';
import { Extension } from './extension.js';
import { ExtSettingsReader } from './extension-settings.js';
import { type ExtensionsInUse, NO_EXTENSIONS } from './extensions.module.js';

/** Words of the product and of the machine. */
const RESERVED_IDS: readonly string[] = ['gatehouse', 'service', 'ext', 'management', 'node', 'npm', 'aws', 'pg'];

/**
 * Extensions on their way into the application: what is wrong with them is reported beside the mistakes in the
 * settings, so that an operator sees everything at once.
 */
export class ExtensionLoad {
  private readonly settings = new Map<abstract new (...values: never[]) => unknown, unknown>();

  private constructor(
    private readonly extensions: readonly Extension[],
    private readonly mistakes: readonly string[],
    /** Deprecated features that they use, each in a sentence with its remedy. */
    readonly deprecated: readonly string[] = [],
  ) {}

  /**
   * @param given what was passed as extensions, whatever it is
   * @param further what is wrong with them beyond what this foundation knows, each in a sentence with its remedy
   */
  static async of(
    given: readonly unknown[],
    version: string,
    further: (extensions: readonly Extension[]) => Promise<string[]> = async () => [],
    deprecations: readonly Deprecation[] = DEPRECATIONS,
  ): Promise<ExtensionLoad> {
    if (given.length === 0) return new ExtensionLoad([], []);
    const { extensionMistakes } = await import('./extension-check.js');
    const extensions = given.filter((one) => one instanceof Extension);
    const strange = given.flatMap((one, index) =>
      one instanceof Extension
        ? []
        : [`Extension ${index + 1} of the list was not made by defineExtension. Export what that function returns.`],
    );
    const mistakes = [...(await extensionMistakes(extensions, version)), ...(await further(extensions))];
    return new ExtensionLoad(extensions, [...strange, ...mistakes], deprecatedIn(extensions, deprecations));
  }

  /**
   * Reads the settings of the extensions, after the product has read its own.
   * @param deprecations `error`: what goes away is a mistake already
   */
  read(env: EnvironmentReader, deprecations: 'warn' | 'error' = 'warn'): void {
    if (this.extensions.length === 0 && this.mistakes.length === 0) return;
    env.subject = 'settings and extensions';
    const names = [...env.names];
    for (const mistake of this.mistakes) env.mistake(mistake);
    if (deprecations === 'error') for (const sentence of this.deprecated) env.mistake(sentence);
    for (const extension of this.extensions) {
      const prefix = `${extension.id.toUpperCase()}_`;
      if (RESERVED_IDS.includes(extension.id) || names.some((name) => name.startsWith(prefix)))
        env.mistake(
          `"${extension.id}" cannot be the id of an extension: it is a word of the product, or settings of the product begin with it.`,
        );
      else this.readSettings(extension, env);
    }
  }

  /** @throws ConfigError with what is wrong with the extensions themselves, whatever the settings are */
  checked(): readonly Extension[] {
    if (this.mistakes.length > 0) throw new ConfigError(this.mistakes, 'extensions');
    return this.extensions;
  }

  /** The extensions with which the application is made, once nothing is wrong. */
  get inUse(): ExtensionsInUse {
    return this.extensions.length === 0 ? NO_EXTENSIONS : { extensions: this.extensions, settings: this.settings };
  }

  private readSettings({ id, settings }: Extension, env: EnvironmentReader): void {
    const reader = new ExtSettingsReader(env, id);
    for (const { as, read } of settings) {
      const before = env.mistakes.length;
      try {
        this.settings.set(as, read(reader));
      } catch (error) {
        // A class that is made of a value that is missing may fail because of that, which is reported already.
        if (env.mistakes.length === before)
          env.mistake(`The settings ${as.name} of the extension ${id} cannot be read: ${(error as Error).message}`);
      }
    }
  }
}
