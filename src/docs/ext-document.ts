import type { INestApplication, Type } from '@nestjs/common';
import type { OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { operationsOf, ownerOf } from '../admin/kit/grpc/known-operation.js';
import { ERROR_SCHEMA } from '../admin/kit/operation.js';
import { extTagOf } from '../admin/kit/tags.js';
import type { OperationFacts } from '../admin/kit/wire/declared-operation.js';
import type { Extension } from '../foundation/extension/extension.js';
import { controllersOf, modulesOf } from '../foundation/extension/module-walk.js';
import { orderFields, requireWritten } from './written-fields.js';

const PREFIX = '#/components/schemas/';

/** The operations of one extension, as they appear in the document of the API. */
export interface ExtDocument {
  readonly tag: { readonly name: string; readonly description: string };
  readonly paths: OpenAPIObject['paths'];
  readonly schemas: NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
}

/**
 * Describes the operations of an extension apart from all others, and then gives its names a prefix:
 * `hr.ListEmployees`. What the product adds in a later version never meets a name of an extension.
 * @returns undefined if it has none
 */
export async function describeOwn(
  app: INestApplication,
  extension: Extension,
  frame: Omit<OpenAPIObject, 'paths'>,
  swagger: typeof SwaggerModule,
): Promise<ExtDocument | undefined> {
  const operations = (await controllersOf(extension)).flatMap(factsOf);
  if (operations.length === 0) return undefined;
  const include = (await modulesOf(extension)).map(({ type }) => type as Type);
  const document = swagger.createDocument(app, frame, { include });
  document.paths = onlyOperations(document.paths);
  requireWritten(document, operations);
  orderFields(document, operations);
  const { id, version } = extension;
  const tag = { name: extTagOf(id), description: `Operations of the extension ${id} ${version}.` };
  for (const item of Object.values(document.paths))
    for (const operation of [item.get, item.post, item.put, item.patch, item.delete])
      if (operation)
        Object.assign(operation, { tags: [tag.name], operationId: `${id}.${operation.operationId ?? ''}` });
  return { tag, ...renamed(document, id) };
}

/** Without routes of the extension's own, which answer as they like. */
function onlyOperations(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  return Object.fromEntries(Object.entries(paths).filter(([path]) => ownerOf(path) !== undefined));
}

function factsOf(controller: Type<unknown>): OperationFacts[] {
  return operationsOf(controller, undefined).map(({ facts }) => facts);
}

/** The paths and schemas, with the prefix before each schema but that of refusals, which all operations share. */
function renamed(document: OpenAPIObject, id: string): Pick<ExtDocument, 'paths' | 'schemas'> {
  const own = Object.entries(document.components?.schemas ?? {}).filter(([name]) => name !== ERROR_SCHEMA);
  const known = new Set(own.map(([name]) => `${PREFIX}${name}`));
  const text = JSON.stringify({
    paths: document.paths,
    schemas: Object.fromEntries(own.map(([name, schema]) => [`${id}.${name}`, schema])),
  });
  return JSON.parse(text, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && known.has(value)
      ? `${PREFIX}${id}.${value.slice(PREFIX.length)}`
      : value,
  ) as Pick<ExtDocument, 'paths' | 'schemas'>;
}
