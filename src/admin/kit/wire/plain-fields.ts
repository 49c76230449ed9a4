import type { ApiPropertyOptions } from '@nestjs/swagger';
import { getMetadataStorage } from 'class-validator';
import { documented } from './documentation.js';
import type { DeclaredField, FieldShape, MessageClass } from './field.js';

/*
 * A message that is written as anywhere in Nest, with the decorators of class-validator and @nestjs/swagger alone. Its
 * fields are numbered in the order in which they stand, those of its base class first, so that a new one goes to the
 * end. What was not sent is undefined, whatever its kind, and the rules of class-validator decide about it.
 */

/** Written against @nestjs/swagger 12.0: where its decorators leave what they were told. */
const PROPERTIES = 'swagger/apiModelPropertiesArray';
const PROPERTY = 'swagger/apiModelProperties';

/** The part of what `ApiProperty` was told from which a field is made. */
interface Said {
  readonly type?: unknown;
  readonly isArray?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly writeOnly?: boolean;
  readonly maxItems?: number;
  readonly required?: boolean;
}

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** The fields like those of `field.ts`; none if neither package knows a property of the class. */
export function plainFieldsOf(message: MessageClass): DeclaredField[] {
  const prototype = message.prototype as object;
  const documentedNames = ((Reflect.getMetadata(PROPERTIES, prototype) ?? []) as string[]).map((name) => name.slice(1));
  const rules = Map.groupBy(
    getMetadataStorage().getTargetValidationMetadatas(message, '', false, false),
    ({ propertyName }) => propertyName,
  );
  return [...new Set([...documentedNames, ...rules.keys()])].map((name, index) => {
    const said = (Reflect.getMetadata(PROPERTY, prototype, name) ?? undefined) as Said | undefined;
    const field = fieldOf(message, name, index + 1, said ?? {}, rules.get(name) ?? []);
    if (!said) document(prototype, field);
    return field;
  });
}

function fieldOf(
  message: MessageClass,
  name: string,
  number: number,
  said: Said,
  rules: readonly Rule[],
): DeclaredField {
  const designed = Reflect.getMetadata('design:type', message.prototype as object, name) as unknown;
  const many = designed === Array || said.isArray === true || Array.isArray(said.type);
  const shape = shapeOf(rules, [said.type].flat()[0] ?? (many ? undefined : designed));
  if (!shape)
    throw new Error(
      `${message.name}.${name} has no kind that JSON and Protocol Buffers share. Say it by @IsString, @IsBoolean, @IsInt, ` +
        '@IsDate, @IsObject or @ApiProperty({ type }).',
    );
  return {
    ...shape,
    name,
    number,
    many,
    maxItems: said.maxItems ?? 1_000,
    optional: !many,
    mandatory: said.required !== false && !rules.some(isCondition),
    isSecret: said.writeOnly === true,
    description: said.description,
    example: said.example,
  };
}

const KINDS = {
  isString: 'text',
  isBoolean: 'flag',
  isInt: 'count',
  isDate: 'moment',
  isObject: 'struct',
} as const;

function shapeOf(rules: readonly Rule[], type: unknown): FieldShape | undefined {
  for (const { name } of rules) {
    if (name !== undefined && Object.hasOwn(KINDS, name)) return { kind: KINDS[name as keyof typeof KINDS] };
  }
  if (type === String || type === 'string') return { kind: 'text' };
  if (type === Boolean || type === 'boolean') return { kind: 'flag' };
  if (type === Date) return { kind: 'moment' };
  if (type === BigInt) return { kind: 'long' };
  if (type === Buffer || type === Uint8Array) return { kind: 'bytes' };
  if (typeof type !== 'function' || type === Number || type === Object || type === Array) return undefined;
  // `type: () => Address` is called "type" after the member that it is written to; a class has a name of its own.
  return { kind: 'part', part: type.name === 'type' ? (type as () => MessageClass) : () => type as MessageClass };
}

/** `@IsOptional` and `@ValidateIf`. */
function isCondition({ type }: Rule): boolean {
  return type === 'conditionalValidation';
}

const SCHEMAS: Readonly<Record<string, ApiPropertyOptions>> = {
  text: { type: 'string' },
  flag: { type: 'boolean' },
  count: { type: 'integer', format: 'int64' },
  long: { type: 'string', format: 'uint64' },
  moment: { type: 'string', format: 'date-time' },
  bytes: { type: 'string', format: 'byte' },
  struct: { type: 'object', additionalProperties: true },
};

/** Adds `@ApiProperty` where it is missing: the field would be served and not be in the document. */
function document(prototype: object, field: DeclaredField): void {
  const { name, kind, part, many, mandatory } = field;
  documented(({ ApiProperty }) =>
    ApiProperty({
      ...(part ? { type: () => part() } : SCHEMAS[kind]),
      ...(many ? { isArray: true } : {}),
      required: mandatory,
    } as ApiPropertyOptions),
  )(prototype, name);
}
