import type { OpenAPIObject } from '@nestjs/swagger';
import { fieldsOf } from '../admin/wire/declared-field.js';
import { messagesOnlyAnswered } from '../admin/wire/declared-operation.js';

/**
 * A response contains every field except those without a zero value (admin/wire/write-message.ts), so clients need not check
 * whether the others are present.
 */
export function requireWritten(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, { required?: string[] } | undefined>;
  for (const message of messagesOnlyAnswered()) {
    const schema = schemas[message.name];
    const written = fieldsOf(message)
      .filter(({ optional, many }) => many || !optional)
      .map(({ name }) => name);
    if (schema && written.length > 0) schema.required = written;
  }
}
