import type { OpenAPIObject } from '@nestjs/swagger';
import { fieldsOf, nameOf } from '../admin/kit/wire/declared-field.js';
import { messagesOf, messagesOnlyAnswered, type OperationFacts } from '../admin/kit/wire/declared-operation.js';

/**
 * A response contains every field except those without a zero value (admin/kit/wire/write-message.ts), so clients need
 * not check whether the others are present.
 */
export function requireWritten(document: OpenAPIObject, operations: readonly OperationFacts[]): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, { required?: string[] } | undefined>;
  for (const message of messagesOnlyAnswered(operations)) {
    const schema = schemas[nameOf(message)];
    const written = fieldsOf(message)
      .filter(({ optional, many }) => many || !optional)
      .map(({ name }) => name);
    if (schema && written.length > 0) schema.required = written;
  }
}

/** Shows the fields of each message by number: @nestjs/swagger lists those of a base class first. */
export function orderFields(document: OpenAPIObject, operations: readonly OperationFacts[]): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, { properties?: object } | undefined>;
  for (const message of messagesOf(operations)) {
    const schema = schemas[nameOf(message)];
    const known = new Map(Object.entries(schema?.properties ?? {}));
    const names = fieldsOf(message).map(({ name }) => name);
    if (schema && known.size === names.length)
      schema.properties = Object.fromEntries(names.map((name) => [name, known.get(name)]));
  }
}
