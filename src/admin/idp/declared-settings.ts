import { Global, Injectable, Module } from '@nestjs/common';
import type { JsonObject } from '../../foundation/outbound/outbound-client.js';
import { KindSettings, type SettingsClass, type SettingsField } from '../../idp/kind-settings.js';
import { fieldsOf } from '../kit/wire/declared-field.js';
import type { DeclaredField } from '../kit/wire/field.js';
import { readMessage } from '../kit/wire/read-message.js';

/** JSON holds these as they are; a secret is sealed as text. */
const KINDS: ReadonlySet<DeclaredField['kind']> = new Set(['text', 'flag', 'count']);
/** More fields than a form has. */
const MAX_FIELDS = 50;

/** Settings of identity provider kinds, declared and read like requests. */
@Injectable()
export class DeclaredSettings implements KindSettings {
  mistakesOf(declared: SettingsClass): string[] {
    const fields = fieldsOf(declared);
    return [
      ...(fields.length > MAX_FIELDS ? [`have more than ${MAX_FIELDS} fields. Remove some.`] : []),
      ...fields
        .filter(({ kind, name }) => !KINDS.has(kind) || name in {})
        .map(({ name }) => `have the field ${name}, which is none of Text, Texts, Flag and Count. Declare it as one.`),
      ...fields
        .filter(({ isSecret, kind, many }) => isSecret && (kind !== 'text' || many))
        .map(({ name }) => `have the secret ${name}, which is no text. Declare it as Text.`),
    ];
  }

  fieldsOf(declared: SettingsClass): readonly SettingsField[] {
    return fieldsOf(declared).map(({ name, isSecret }) => ({ name, isSecret }));
  }

  read(declared: SettingsClass, json: JsonObject): object {
    return readMessage(declared, json);
  }
}

/** Provides the declared settings to the domain, which may not know of declarations; see `KindSettings`. */
@Global()
@Module({ providers: [{ provide: KindSettings, useClass: DeclaredSettings }], exports: [KindSettings] })
export class DeclaredSettingsModule {}
