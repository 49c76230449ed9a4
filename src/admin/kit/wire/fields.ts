import { applyDecorators } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import {
  IsBoolean,
  IsDate,
  IsDefined,
  IsIn,
  IsInstance,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  NotEquals,
  ValidateNested,
  type ValidationOptions,
} from 'class-validator';
import type { WireEnum } from '../../../foundation/http/wire-enum.js';
import { declareField, declareFilter, declareName, declareReserved } from './declared-field.js';
import { documented } from './documentation.js';
import type { FieldFacts, FieldShape, MessageClass } from './field.js';
import { HasBytes, HasCodePoints, HasForm } from './rules.js';

/*
 * One decorator declares a field once: it is a number in the .proto, a kind for the reader, and decorators of
 * class-validator and @nestjs/swagger. A class may also use those packages directly, and then has no numbers to choose
 * (plain-fields.ts). Lengths count Unicode code points unless they say bytes.
 */

/** What is said of a field. @public */
export interface FieldSaid {
  /** For the documentation. */
  readonly description?: string | undefined;
  readonly example?: unknown;
  /** The property is undefined if it was not sent, instead of having the zero value. */
  readonly optional?: boolean;
  readonly oneof?: string;
  /** The name in the .proto, if clients know another one than the name in snake_case. */
  readonly protoName?: string;
  readonly deprecated?: boolean;
  /** In requests, never in responses. */
  readonly writeOnly?: boolean;
}

/** @public */
export interface TextRules {
  readonly min?: number;
  readonly max?: number;
  readonly maxBytes?: number;
  /** The form of a non-empty text, and the message for others: `must be an e-mail address`. */
  readonly form?: { readonly fits: (text: string) => boolean; readonly says: string };
}

/** @public */
export interface ListRules {
  /**
   * The list takes the place of what is there, so in JSON it must be sent: otherwise a misspelt name, which is ignored,
   * would remove everything. An empty list does. In Protocol Buffers, a list that is not sent is an empty one.
   */
  readonly replaces?: boolean;
  readonly maxItems?: number;
}

/** @public */
export interface CountRules {
  readonly min?: number;
  readonly max?: number;
}

/** The limit of lists, unless the field declares another one. */
const MAX_ITEMS = 1_000;

/** `string` @public */
export function Text(number: number, said: FieldSaid & TextRules = {}): PropertyDecorator {
  return field({ number, kind: 'text', many: false }, withLimits(said), textSchema(said), {
    rules: textRules(said, ONE),
    mandatory: (said.min ?? 0) > 0,
  });
}

/** `repeated string`; the rules are those of each entry. @public */
export function Texts(number: number, said: FieldSaid & TextRules & ListRules = {}): PropertyDecorator {
  return field({ number, kind: 'text', many: true }, withLimits(said), textSchema(said), {
    rules: textRules(said, EACH),
  });
}

/** `bool` @public */
export function Flag(number: number, said: FieldSaid = {}): PropertyDecorator {
  return field({ number, kind: 'flag', many: false }, said, { type: 'boolean' }, { rules: [IsBoolean()] });
}

/** `uint32` @public */
export function Count(number: number, said: FieldSaid & CountRules = {}): PropertyDecorator {
  const { min = 0, max = 4_294_967_295 } = said;
  const message = `must be ${min} to ${max}`;
  const schema = { type: 'integer', format: 'int64', minimum: min, maximum: max } as const;
  return field({ number, kind: 'count', many: false }, said, schema, {
    rules: [IsInt({ message }), Min(min, { message }), Max(max, { message })],
    mandatory: min > 0,
  });
}

/** `uint64`: a `bigint` inside, a string in JSON, where numbers are not exact beyond 2^53. @public */
export function Long(number: number, said: FieldSaid = {}): PropertyDecorator {
  const { example, ...rest } = said;
  const written =
    typeof example === 'number' || typeof example === 'bigint' ? { example: String(example) } : { example };
  const schema = { type: 'string', format: 'uint64' } as const;
  return field({ number, kind: 'long', many: false }, { ...rest, ...written }, schema, { rules: [] });
}

/** An enumeration. `required`: the value for "unspecified" is refused. */
export function Choice(
  number: number,
  choice: WireEnum,
  said: FieldSaid & { readonly required?: boolean } = {},
): PropertyDecorator {
  return field({ number, kind: 'choice', many: false, choice }, said, enumSchema(choice), {
    rules: choiceRules(choice, said.required === true, ONE),
    // A field that was not sent has the zero value, which the rule refuses.
    mandatory: said.required === true,
  });
}

/** A list of an enumeration. */
export function Choices(
  number: number,
  choice: WireEnum,
  said: FieldSaid & ListRules & { readonly required?: boolean } = {},
): PropertyDecorator {
  return field({ number, kind: 'choice', many: true, choice }, said, enumSchema(choice), {
    rules: choiceRules(choice, said.required === true, EACH),
  });
}

/** `google.protobuf.Timestamp`: RFC 3339; undefined when it was not sent. @public */
export function Moment(number: number, said: FieldSaid = {}): PropertyDecorator {
  const schema = { type: 'string', format: 'date-time' } as const;
  return field({ number, kind: 'moment', many: false }, { ...said, optional: true }, schema, { rules: [IsDate()] });
}

/** `google.protobuf.Duration`: whole seconds inside, `"3600s"` in JSON; undefined when it was not sent. @public */
export function Span(number: number, said: FieldSaid & { readonly maxSeconds?: number } = {}): PropertyDecorator {
  const { maxSeconds = 315_576_000_000 } = said;
  const message = `must be a duration from 0s to ${maxSeconds}s, in whole seconds`;
  const schema = { type: 'string', pattern: '^\\d+s$' } as const;
  return field({ number, kind: 'span', many: false }, { ...said, optional: true }, schema, {
    rules: [IsInt({ message }), Min(0, { message }), Max(maxSeconds, { message })],
  });
}

/** `bytes`: base64 in JSON. @public */
export function Bytes(number: number, said: FieldSaid & CountRules = {}): PropertyDecorator {
  const { min = 0, max = 1_000_000 } = said;
  const schema = { type: 'string', format: 'byte' } as const;
  return field({ number, kind: 'bytes', many: false }, said, schema, {
    rules: [IsInstance(Buffer), HasBytes(min, max, { message: `must have ${min} to ${max} bytes` })],
    mandatory: min > 0,
  });
}

/** Another message. `required`: it must be sent. @public */
export function Part(
  number: number,
  part: () => MessageClass,
  said: FieldSaid & { readonly required?: boolean } = {},
): PropertyDecorator {
  const required = said.required === true;
  const schema = { type: () => part() };
  return field({ number, kind: 'part', many: false, part }, { ...said, optional: true }, schema, {
    rules: [ValidateNested(), ...(required ? [IsDefined({ message: 'is required' })] : [])],
    mandatory: required,
  });
}

/** A list of messages. @public */
export function Parts(number: number, part: () => MessageClass, said: FieldSaid & ListRules = {}): PropertyDecorator {
  const schema = { type: () => part() };
  return field({ number, kind: 'part', many: true, part }, said, schema, { rules: [ValidateNested({ each: true })] });
}

/** `google.protobuf.Struct`: any JSON object, returned unchanged. @public */
export function Struct(number: number, said: FieldSaid = {}): PropertyDecorator {
  const schema = { type: 'object', additionalProperties: true } as const;
  return field({ number, kind: 'struct', many: false }, { ...said, optional: true }, schema, { rules: [IsObject()] });
}

/** The name of a message in openapi.json and in the .proto, whatever a bundler calls its class. @public */
export function Named(name: string): ClassDecorator {
  return applyDecorators(
    (message: object) => declareName(message as MessageClass, name),
    documented(({ ApiSchema }) => ApiSchema({ name })),
  );
}

/**
 * For a message whose fields decide which entries of a list are returned. Ignoring an unknown field, as elsewhere,
 * would return more than was asked for, so it is refused, also in nested messages. A message that consists of a single
 * oneof of filters must set it.
 */
export function Filter(): (message: MessageClass) => void {
  return declareFilter;
}

/** Fields that clients know from other services and that have no meaning here: `{ 7: 'saml_config' }`. */
export function Reserves(others: Readonly<Record<number, string>>): ClassDecorator {
  const fields = Object.entries(others).map(([number, name]) => ({ number: Number(number), name }));
  return (message) => declareReserved(message.prototype as object, fields);
}

function field(
  facts: FieldShape & Pick<FieldFacts, 'number' | 'many'>,
  said: FieldSaid & ListRules,
  schema: ApiPropertyOptions,
  {
    rules,
    mandatory = false,
  }: {
    readonly rules: readonly PropertyDecorator[];
    /** A message without the field breaks a rule, so the schema lists the field as required. */
    readonly mandatory?: boolean;
  },
): PropertyDecorator {
  const optional = said.optional === true || said.oneof !== undefined;
  return applyDecorators(
    (target: object, name: string | symbol) =>
      declareField(target, {
        ...facts,
        name: String(name),
        optional,
        mandatory,
        ...(said.replaces === true ? { replaces: true } : {}),
        isSecret: said.writeOnly === true,
        maxItems: said.maxItems ?? MAX_ITEMS,
        description: said.description,
        example: said.example,
        ...(said.oneof === undefined ? {} : { oneof: said.oneof }),
        ...(said.protoName === undefined ? {} : { protoName: said.protoName }),
      }),
    documented(({ ApiProperty }) =>
      ApiProperty({
        ...schema,
        ...(facts.many ? { isArray: true } : {}),
        ...(said.maxItems === undefined ? {} : { maxItems: said.maxItems }),
        ...(said.description === undefined ? {} : { description: said.description }),
        ...(said.example === undefined ? {} : { example: said.example }),
        ...(said.deprecated === true ? { deprecated: true } : {}),
        ...(said.writeOnly === true ? { writeOnly: true } : {}),
        required: said.replaces === true || (mandatory && (!optional || facts.kind === 'part')),
      } as ApiPropertyOptions),
    ),
    ...(optional && !(mandatory && facts.kind === 'part') ? [IsOptional()] : []),
    ...rules,
  );
}

/** Whether a rule is that of the field, or of each entry of a list, which may be empty. */
type Many = (says: string) => ValidationOptions;
const ONE: Many = (message) => ({ message });
const EACH: Many = (says) => ({ message: `each entry ${says}`, each: true });

function textRules({ min = 0, max, maxBytes, form }: TextRules, many: Many): PropertyDecorator[] {
  const rules = [IsString(many('must be a string'))];
  if (max !== undefined) rules.push(HasCodePoints(min, max, many(`must have ${min} to ${max} characters`)));
  else if (min > 0) rules.push(HasCodePoints(min, Infinity, many(`must have ${min} or more characters`)));
  if (maxBytes !== undefined) rules.push(HasBytes(0, maxBytes, many(`must have at most ${maxBytes} bytes`)));
  if (form) rules.push(HasForm(form.fits, many(form.says)));
  return rules;
}

function choiceRules({ members, zero }: WireEnum, required: boolean, many: Many): PropertyDecorator[] {
  const offered = (required ? members.slice(1) : members).map(({ name }) => name);
  const options = many(`must be one of ${offered.join(', ')}`);
  const values = members.map(({ value }) => value);
  return [required ? NotEquals(zero, options) : IsIn(values, options)];
}

/** Describes what a schema cannot: the form, and limits in bytes. */
function withLimits<S extends FieldSaid & TextRules>(said: S): S {
  const { description, form, maxBytes } = said;
  const sentences = [
    description,
    form && `It ${form.says}.`,
    maxBytes === undefined ? undefined : `At most ${maxBytes} bytes.`,
  ].filter((one) => one !== undefined);
  return sentences.length === 0 ? said : { ...said, description: sentences.join(' ') };
}

function textSchema({ min, max, maxBytes }: TextRules): ApiPropertyOptions {
  return {
    type: 'string',
    ...(min === undefined || min === 0 ? {} : { minLength: min }),
    ...(max === undefined ? {} : { maxLength: max }),
    ...(max === undefined && maxBytes !== undefined ? { maxLength: maxBytes } : {}),
  };
}

function enumSchema(choice: WireEnum): ApiPropertyOptions {
  return { enum: choice.members.map(({ name }) => name), enumName: choice.name };
}
