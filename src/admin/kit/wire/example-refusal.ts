import { DomainError, type FieldViolation, invalidFields } from '../../../foundation/error/domain-error.js';
import { fieldsOf } from './declared-field.js';
import type { DeclaredField, MessageClass } from './field.js';
import { readMessage } from './read-message.js';

/** A text that is longer than any text of a request may be. */
const TOO_LONG = 'x'.repeat(100_001);

/**
 * JSON that a field of this kind refuses, the likeliest mistake first. Which of them its rules refuse depends on the
 * field.
 */
const WRONG_VALUES: Readonly<Record<DeclaredField['kind'], readonly unknown[]>> = {
  text: ['', TOO_LONG, '\0'],
  flag: ['yes'],
  count: [-1],
  long: [-1],
  choice: ['OTHER'],
  moment: ['tomorrow'],
  span: ['an hour'],
  bytes: ['?'],
  part: ['text'],
  struct: ['text'],
};

const NO_LIST = {};

/**
 * The refusal of a message with one invalid field, for the documentation: a mandatory field if there is one. Undefined
 * for a message without fields.
 */
export function exampleRefusalOf(message: MessageClass): DomainError | undefined {
  const fields = fieldsOf(message);
  const inOrder = [...fields.filter(({ mandatory }) => mandatory), ...fields.filter(({ mandatory }) => !mandatory)];
  for (const field of inOrder) {
    for (const value of field.many ? [NO_LIST] : WRONG_VALUES[field.kind]) {
      const violation = violationsOf(message, { [field.name]: value }).find((one) => one.field === field.name);
      if (violation) return invalidFields([violation]);
    }
  }
  return undefined;
}

function violationsOf(message: MessageClass, json: unknown): readonly FieldViolation[] {
  try {
    readMessage(message, json);
    return [];
  } catch (error) {
    if (error instanceof DomainError) return error.violations;
    throw error;
  }
}
