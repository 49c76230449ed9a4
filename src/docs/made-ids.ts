import type { OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLE } from '../admin/kit/wire/example-ids.js';

/** For each ID in the examples: the response that returns the real one. Used by the page at /docs. */
export const MADE_IDS = 'x-example-ids';

interface MadeId {
  readonly method: string;
  readonly path: string;
  /** The place of the id in the response. */
  readonly field: readonly string[];
  /** The id in the examples. */
  readonly example: string;
}

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const MAKING = /^(Add|SetUp|Create|Import)[A-Z]/;
const IDS: ReadonlySet<unknown> = new Set(
  Object.values(EXAMPLE).filter(
    (id) => ![EXAMPLE.clientId, EXAMPLE.session, EXAMPLE.passkey, EXAMPLE.securityKey].some((other) => other === id),
  ),
);

/** Reads the examples of responses: if an operation creates an object, the id of that object is one of `EXAMPLE`. */
export function findMadeIds(document: OpenAPIObject): MadeId[] {
  const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const { post } = item;
    if (!post || !MAKING.test(post.operationId ?? '')) return [];
    const answer = post.responses['200'] as { content?: Record<string, { schema?: Schema }> } | undefined;
    return idsIn(answer?.content?.['application/json']?.schema, schemas).map(({ field, example }) => ({
      method: 'post',
      path,
      field,
      example,
    }));
  });
}

function idsIn(
  schema: Schema | undefined,
  schemas: Readonly<Record<string, Schema>>,
  field: readonly string[] = [],
): Array<Pick<MadeId, 'field' | 'example'>> {
  if (!schema || field.at(-1) === 'details') return []; // the owner, not the object
  if (IDS.has(schema.example)) return [{ field, example: schema.example as string }];
  const whole = schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)!];
  const parts = whole?.allOf ?? [];
  return [
    ...parts.flatMap((part) => idsIn(part, schemas, field)),
    ...Object.entries(whole?.properties ?? {}).flatMap(([name, property]) =>
      idsIn(property, schemas, [...field, name]),
    ),
  ];
}
