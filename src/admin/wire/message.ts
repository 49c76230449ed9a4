import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { invalidFields } from '../../error/domain-error.js';
import { readJson } from '../../http/json-body.js';
import { readQuery } from '../../http/request.js';
import { operationOf } from './declared-operation.js';
import { fieldsOf, toSnakeCase, type MessageClass } from './field.js';
import { readMessage } from './read-message.js';

/** Holds metadata values of 500,000 bytes in base64; what is larger has an operation that streams. */
const MAX_BODY_BYTES = 1_048_576;

/**
 * The request of an operation, read and valid: the body, with what the path names laid over it. GET and DELETE take from
 * the query what the path does not name; but a DELETE that names several things takes them from its body, for no query
 * spells a list. A body that nothing can be in is not read.
 */
export const Message = createParamDecorator(async (_: unknown, context: ExecutionContext): Promise<object> => {
  const { request: message } = operationOf(context.getHandler()) ?? {};
  if (!message) throw new Error(`${context.getHandler().name} declares no request.`);
  const request = context.switchToHttp().getRequest<Request>();
  const path = request.params as Record<string, string>;
  const rest = fieldsOf(message).filter(({ name }) => !Object.hasOwn(path, name));
  const isRead = request.method === 'GET' || request.method === 'HEAD' || (request.method === 'DELETE' && !rest.some(({ many }) => many));
  if (isRead) return readMessage(message, {}, { ...fromQuery(request, message), ...path });
  return readMessage(message, rest.length === 0 ? {} : await readJson(request, MAX_BODY_BYTES), path);
});

function fromQuery(request: Request, message: MessageClass): Record<string, string> {
  const query = readQuery(request);
  const found: Record<string, string> = {};
  for (const { name } of fieldsOf(message)) {
    for (const spelling of new Set([name, toSnakeCase(name)])) {
      if (query.problemOf(spelling)) throw invalidFields([{ field: name, description: 'must be sent once, in UTF-8' }]);
      const value = query.find(spelling);
      if (value !== undefined) found[name] = value;
    }
  }
  return found;
}
