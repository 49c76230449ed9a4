import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { DeclaredSettingsModule } from '../admin/idp/declared-settings.js';
import { nameOf } from '../admin/kit/wire/declared-field.js';
import { ExtKinds } from '../idp/ext-kinds.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Exclude<Schemas[string], { $ref: string }>;

/** The requests with settings, and whether one may omit secrets. */
const REQUESTS: ReadonlyArray<readonly [name: string, mayOmitSecrets: boolean]> = [
  ['AddExtensionProviderRequest', false],
  ['UpdateIdpExtensionConfigRequest', true],
];

/** Says in the document which settings each identity provider kind of an extension has. */
export function describeKinds(
  document: OpenAPIObject,
  app: INestApplication,
  frame: Omit<OpenAPIObject, 'paths'>,
  swagger: typeof SwaggerModule,
): void {
  const kinds = app.get(ExtKinds, { strict: false }).all.map(({ part: { kind, settings } }) => {
    // Each kind gets a document of its own, as two extensions may have classes of one name.
    const { components } = swagger.createDocument(app, frame, {
      include: [DeclaredSettingsModule],
      extraModels: [settings],
    });
    return { kind, schema: (components?.schemas?.[nameOf(settings)] ?? { type: 'object' }) as Schema };
  });
  if (kinds.length === 0) return;
  for (const [name, mayOmitSecrets] of REQUESTS) {
    const request = document.components?.schemas?.[name] as Schema;
    const settings = request.properties!['settings'] as Schema;
    settings.anyOf = kinds.map(({ kind, schema }) => ({
      ...(mayOmitSecrets ? withoutSecrets(schema) : schema),
      title: kind,
      description: `The settings of the kind ${kind}.`,
    }));
  }
}

function withoutSecrets({ required = [], ...schema }: Schema): Schema {
  const secrets = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    'writeOnly' in property && property.writeOnly === true ? [name] : [],
  );
  const left = required.filter((name) => !secrets.includes(name));
  return left.length === 0 ? schema : { ...schema, required: left };
}
