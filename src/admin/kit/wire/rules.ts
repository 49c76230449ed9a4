import {
  getMetadataStorage,
  Validate,
  type ValidationArguments,
  type ValidationOptions,
  ValidationTypes,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { fieldsOf, nameOf } from './declared-field.js';
import type { MessageClass } from './field.js';

/*
 * The rules of class-validator, those of its own decorators and of anybody's, applied to messages. The validator of the
 * package looks for the rules of a class among those of all classes, for each message and each message in it: 500 roles
 * of one request took it 30 ms, in which nobody else is served. Here they are looked up once per class.
 */

type Storage = ReturnType<typeof getMetadataStorage>;
type Rule = ReturnType<Storage['getTargetValidationMetadatas']>[number];

interface PropertyRules {
  readonly property: string;
  /** `@IsOptional`, `@ValidateIf`: the others hold only if all of these do. */
  readonly conditions: readonly Rule[];
  readonly checks: readonly Check[];
  readonly nests: boolean;
}

interface Check {
  readonly rule: Rule;
  readonly constraint: ValidatorConstraintInterface;
}

const rules = new WeakMap<object, readonly PropertyRules[]>();

function rulesOf(message: MessageClass): readonly PropertyRules[] {
  const known = rules.get(message);
  if (known) return known;
  const declared = getMetadataStorage().getTargetValidationMetadatas(message, '', false, false);
  const fields = new Set(fieldsOf(message).map(({ name }) => name));
  const stray = declared.find(({ propertyName }) => !fields.has(propertyName));
  if (stray) throw new Error(`${nameOf(message)}.${stray.propertyName} has rules and is no field: give it a number.`);
  const found = [...Map.groupBy(declared, ({ propertyName }) => propertyName)].map(([property, ofProperty]) => ({
    property,
    conditions: ofProperty.filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION),
    checks: ofProperty.flatMap((rule) => checksOf(message, rule)),
    nests: ofProperty.some(({ type }) => type === ValidationTypes.NESTED_VALIDATION),
  }));
  rules.set(message, found);
  return found;
}

function checksOf(message: MessageClass, rule: Rule): Check[] {
  return getMetadataStorage()
    .getTargetValidatorConstraints(rule.constraintCls)
    .map((constraint) => {
      if (constraint.async)
        throw new Error(`${nameOf(message)}.${rule.propertyName} has the asynchronous rule ${constraint.name}.`);
      return { rule, constraint: constraint.instance };
    });
}

/**
 * Tells each rule that the message or one in it breaks.
 * @param path of the message, empty for the request itself
 * @param broken the paths of fields that could not be read: neither they nor their contents are told of again, and a
 *   list with such an entry is not told of as a whole
 */
export function checkRules(
  message: object,
  path: string,
  broken: ReadonlySet<string>,
  refuse: (field: string, description: string) => void,
): void {
  for (const { property, conditions, checks, nests } of rulesOf(message.constructor as MessageClass)) {
    const at = path === '' ? property : `${path}.${property}`;
    if (broken.has(at)) continue;
    const value = (message as Readonly<Record<string, unknown>>)[property];
    if (!conditions.every((rule) => applies(rule, message, value))) continue;
    if (checks.length > 0 && !isHalfRead(at, broken)) {
      const violated = checks.filter((check) => !holds(check, message, value));
      // A number out of its range may break the rules of both ends, which say the same.
      for (const says of new Set(violated.map((check) => sentenceOf(check, message, value)))) refuse(at, says);
    }
    if (nests) checkNested(value, at, broken, refuse);
  }
}

function checkNested(
  value: unknown,
  path: string,
  broken: ReadonlySet<string>,
  refuse: (field: string, description: string) => void,
): void {
  const entries = Array.isArray(value) ? value.map((one: unknown, index) => [one, `${path}[${index}]`] as const) : [];
  for (const [one, at] of Array.isArray(value) ? entries : [[value, path] as const]) {
    if (typeof one === 'object' && one !== null && !broken.has(at)) checkRules(one, at, broken, refuse);
  }
}

function isHalfRead(path: string, broken: ReadonlySet<string>): boolean {
  return [...broken].some((field) => field.startsWith(`${path}[`));
}

function applies({ constraints }: Rule, message: object, value: unknown): boolean {
  const [condition] = constraints as [(message: object, value: unknown) => boolean];
  return condition(message, value);
}

function holds({ rule, constraint }: Check, message: object, value: unknown): boolean {
  if (rule.validateIf && !rule.validateIf(message, value)) return true;
  const values: readonly unknown[] = rule.each && Array.isArray(value) ? value : [value];
  return values.every((one) => constraint.validate(one, argumentsOf(rule, message, value)) === true);
}

function argumentsOf(rule: Rule, message: object, value: unknown): ValidationArguments {
  return {
    targetName: nameOf(message.constructor as MessageClass),
    property: rule.propertyName,
    object: message,
    value,
    constraints: rule.constraints,
  };
}

function sentenceOf({ rule, constraint }: Check, message: object, value: unknown): string {
  const given = argumentsOf(rule, message, value);
  const said = rule.message || constraint.defaultMessage?.(given) || 'is not valid';
  return (typeof said === 'function' ? said(given) : said)
    .replaceAll(/\$constraint(\d+)/g, (_, number: string) => [rule.constraints[Number(number) - 1]].flat().join(', '))
    .replaceAll('$property', () => given.property)
    .replaceAll('$target', () => given.targetName)
    .replaceAll('$value', () => String(value));
}

/**
 * `@Length` of class-validator does not count the characters that choose between forms of an emoji, so that its limit
 * is not one of what is stored.
 */
@ValidatorConstraint({ name: 'codePoints' })
class CodePoints implements ValidatorConstraintInterface {
  validate(value: unknown, { constraints }: ValidationArguments): boolean {
    return typeof value === 'string' && isWithin([...value].length, constraints);
  }
}

/** Requires a length from `min` to `max` Unicode code points. */
export function HasCodePoints(min: number, max: number, options: ValidationOptions): PropertyDecorator {
  return Validate(CodePoints, [min, max], options);
}

@ValidatorConstraint({ name: 'bytes' })
class ByteCount implements ValidatorConstraintInterface {
  validate(value: unknown, { constraints }: ValidationArguments): boolean {
    const count = typeof value === 'string' ? Buffer.byteLength(value) : (value as Buffer).length;
    return isWithin(count, constraints);
  }
}

/** A buffer, or a text in UTF-8, of `min` to `max` bytes. */
export function HasBytes(min: number, max: number, options: ValidationOptions): PropertyDecorator {
  return Validate(ByteCount, [min, max], options);
}

@ValidatorConstraint({ name: 'form' })
class Form implements ValidatorConstraintInterface {
  validate(value: unknown, { constraints }: ValidationArguments): boolean {
    const [fits] = constraints as [(text: string) => boolean];
    return value === '' || (typeof value === 'string' && fits(value));
  }
}

/** Requires a text that is empty, or that `fits`. */
export function HasForm(fits: (text: string) => boolean, options: ValidationOptions): PropertyDecorator {
  return Validate(Form, [fits], options);
}

function isWithin(count: number, [min, max]: readonly number[]): boolean {
  return count >= min! && count <= max!;
}
