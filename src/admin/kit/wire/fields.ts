import { applyDecorators } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import {
  ValidateBy,
  ValidateNested,
  type ValidationArguments,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import type { WireEnum } from '../../../foundation/http/wire-enum.js';
import {
  declareField,
  declareFilter,
  declareName,
  declareReserved,
  type FieldFacts,
  type FieldShape,
  type MessageClass,
} from './declared-field.js';
import { documented } from './documentation.js';

/*
 * One decorator declares a field once: for the reader of JSON, the validator, Swagger and the .proto.
 * Lengths count Unicode code points unless they say bytes.
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
  return field({ number, kind: 'text', many: false }, withLimits(said), textRules(said), textSchema(said));
}

/** `repeated string`; the rules are those of each entry. @public */
export function Texts(number: number, said: FieldSaid & TextRules & ListRules = {}): PropertyDecorator {
  return field({ number, kind: 'text', many: true }, withLimits(said), each(textRules(said)), textSchema(said));
}

/** `bool` @public */
export function Flag(number: number, said: FieldSaid = {}): PropertyDecorator {
  return field({ number, kind: 'flag', many: false }, said, [], { type: 'boolean' });
}

/** `uint32` @public */
export function Count(number: number, said: FieldSaid & CountRules = {}): PropertyDecorator {
  const { min = 0, max = 4_294_967_295 } = said;
  const rule = {
    fits: (value: unknown) => typeof value === 'number' && value >= min && value <= max,
    says: `must be ${min} to ${max}`,
    mandatory: min > 0,
  };
  return field({ number, kind: 'count', many: false }, said, [rule], {
    type: 'integer',
    format: 'int64',
    minimum: min,
    maximum: max,
  });
}

/** `uint64`: a `bigint` inside, a string in JSON, where numbers are not exact beyond 2^53. @public */
export function Long(number: number, said: FieldSaid = {}): PropertyDecorator {
  const { example, ...rest } = said;
  const written =
    typeof example === 'number' || typeof example === 'bigint' ? { example: String(example) } : { example };
  return field({ number, kind: 'long', many: false }, { ...rest, ...written }, [], {
    type: 'string',
    format: 'uint64',
  });
}

/** An enumeration. `required`: the value for "unspecified" is refused. */
export function Choice(
  number: number,
  choice: WireEnum,
  said: FieldSaid & { readonly required?: boolean } = {},
): PropertyDecorator {
  return field(
    { number, kind: 'choice', many: false, choice },
    said,
    said.required === true ? [notZero(choice)] : [],
    enumSchema(choice),
  );
}

/** A list of an enumeration. */
export function Choices(
  number: number,
  choice: WireEnum,
  said: FieldSaid & ListRules & { readonly required?: boolean } = {},
): PropertyDecorator {
  return field(
    { number, kind: 'choice', many: true, choice },
    said,
    each(said.required === true ? [notZero(choice)] : []),
    enumSchema(choice),
  );
}

/** `google.protobuf.Timestamp`: RFC 3339; undefined when it was not sent. @public */
export function Moment(number: number, said: FieldSaid = {}): PropertyDecorator {
  return field({ number, kind: 'moment', many: false }, { ...said, optional: true }, [], {
    type: 'string',
    format: 'date-time',
  });
}

/** `google.protobuf.Duration`: whole seconds inside, `"3600s"` in JSON; undefined when it was not sent. @public */
export function Span(number: number, said: FieldSaid & { readonly maxSeconds?: number } = {}): PropertyDecorator {
  const { maxSeconds = 315_576_000_000 } = said;
  const rule = {
    fits: (value: unknown) => Number.isInteger(value) && isWithin(value as number, 0, maxSeconds),
    says: `must be a duration from 0s to ${maxSeconds}s, in whole seconds`,
  };
  return field({ number, kind: 'span', many: false }, { ...said, optional: true }, [rule], {
    type: 'string',
    pattern: '^\\d+s$',
  });
}

/** `bytes`: base64 in JSON. @public */
export function Bytes(number: number, said: FieldSaid & CountRules = {}): PropertyDecorator {
  const { min = 0, max = 1_000_000 } = said;
  const rule = {
    fits: (value: unknown) => Buffer.isBuffer(value) && value.length >= min && value.length <= max,
    says: `must have ${min} to ${max} bytes`,
    mandatory: min > 0,
  };
  return field({ number, kind: 'bytes', many: false }, said, [rule], { type: 'string', format: 'byte' });
}

/** Another message. `required`: it must be sent. @public */
export function Part(
  number: number,
  part: () => MessageClass,
  said: FieldSaid & { readonly required?: boolean } = {},
): PropertyDecorator {
  const rules = said.required === true ? [REQUIRED] : [];
  return applyDecorators(
    field({ number, kind: 'part', many: false, part }, { ...said, optional: true }, rules, { type: () => part() }),
    ValidateNested(),
  );
}

/** A list of messages. @public */
export function Parts(number: number, part: () => MessageClass, said: FieldSaid & ListRules = {}): PropertyDecorator {
  return applyDecorators(
    field({ number, kind: 'part', many: true, part }, said, [], { type: () => part() }),
    ValidateNested(),
  );
}

/** `google.protobuf.Struct`: any JSON object, returned unchanged. @public */
export function Struct(number: number, said: FieldSaid = {}): PropertyDecorator {
  return field({ number, kind: 'struct', many: false }, { ...said, optional: true }, [], {
    type: 'object',
    additionalProperties: true,
  });
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

interface Rule {
  readonly fits: (value: unknown) => boolean;
  /** Completes the name of the field: `must have 1 to 200 characters`. */
  readonly says: string;
  /** A message without the field breaks the rule, so the schema lists the field as required. */
  readonly mandatory?: boolean;
  /** The rule is also checked when the field was not sent. Others are not: an optional field may be absent. */
  readonly seesAbsence?: true;
}

const REQUIRED: Rule = {
  fits: (value) => value !== undefined,
  says: 'is required',
  mandatory: true,
  seesAbsence: true,
};

function field(
  facts: FieldShape & Pick<FieldFacts, 'number' | 'many'>,
  said: FieldSaid & ListRules,
  rules: readonly Rule[],
  schema: ApiPropertyOptions,
): PropertyDecorator {
  const mandatory = rules.some((rule) => rule.mandatory === true);
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
    ...rules.map((rule) => ValidateBy({ name: rule.says, constraints: [rule], validator: checkThatSays(rule.says) })),
  );
}

const checks = new Map<string, MessageClass<ValidatorConstraintInterface>>();

/**
 * The class of the rules with this message, which class-validator wants to find them by. Left to itself it makes one
 * for each rule of each field, and looks for it among all of them with each value.
 */
function checkThatSays(says: string): MessageClass<ValidatorConstraintInterface> {
  const known = checks.get(says);
  if (known) return known;
  class Check implements ValidatorConstraintInterface {
    validate(value: unknown, { constraints }: ValidationArguments): boolean {
      const { fits, seesAbsence = false } = constraints[0] as Rule;
      return (value === undefined && !seesAbsence) || fits(value);
    }

    defaultMessage(): string {
      return says;
    }
  }
  ValidatorConstraint({ name: says })(Check);
  checks.set(says, Check);
  return Check;
}

function textRules({ min = 0, max, maxBytes, form }: TextRules): Rule[] {
  const rules: Rule[] = [];
  if (max !== undefined) {
    rules.push({
      fits: (value) => typeof value === 'string' && isWithin([...value].length, min, max),
      says: `must have ${min} to ${max} characters`,
      mandatory: min > 0,
    });
  } else if (min > 0) {
    rules.push({
      fits: (value) => typeof value === 'string' && [...value].length >= min,
      says: `must have ${min} or more characters`,
      mandatory: true,
    });
  }
  if (maxBytes !== undefined) {
    rules.push({
      fits: (value) => typeof value === 'string' && Buffer.byteLength(value) <= maxBytes,
      says: `must have at most ${maxBytes} bytes`,
    });
  }
  if (form)
    rules.push({ fits: (value) => value === '' || (typeof value === 'string' && form.fits(value)), says: form.says });
  return rules;
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

function isWithin(number: number, min: number, max: number): boolean {
  return number >= min && number <= max;
}

/** A rule of entries as a rule of their list, which may be empty. */
function each(rules: readonly Rule[]): Rule[] {
  return rules.map(({ fits, says }) => ({
    fits: (value) => Array.isArray(value) && value.every(fits),
    says: `each entry ${says}`,
  }));
}

function notZero(choice: WireEnum): Rule {
  return {
    fits: (value) => value !== choice.zero,
    says: `must be one of ${choice.members
      .slice(1)
      .map(({ name }) => name)
      .join(', ')}`,
    // Without the field, the property has the zero value.
    mandatory: true,
  };
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
