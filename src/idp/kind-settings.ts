import type { JsonObject } from '../foundation/outbound/outbound-client.js';

/** The class that declares the settings of a kind. */
export type SettingsClass = new () => object;

/** A field of settings, for documentation. */
export interface SettingsField {
  readonly name: string;
  readonly isSecret: boolean;
}

/**
 * Reads settings of identity provider kinds by the fields that their classes declare. The edge of the administrative
 * API, which knows such declarations, implements it (`src/admin/idp/declared-settings.ts`).
 */
export abstract class KindSettings {
  /** What is wrong with the declaration, each in a few words. */
  abstract mistakesOf(declared: SettingsClass): string[];

  abstract fieldsOf(declared: SettingsClass): readonly SettingsField[];

  /**
   * An instance with every field.
   * @throws DomainError InvalidArgument `request.invalid` with every broken field
   */
  abstract read(declared: SettingsClass, json: JsonObject): object;
}
