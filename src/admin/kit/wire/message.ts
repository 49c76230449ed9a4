import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request as ExpressRequest } from 'express';
import { toSnakeCase } from '../../../foundation/database/snake-case.js';
import { invalidFields } from '../../../foundation/error/domain-error.js';
import type { Form } from '../../../foundation/http/form.js';
import { readJson } from '../../../foundation/http/json-body.js';
import { hasNoBody, readQuery } from '../../../foundation/http/request.js';
import { fieldsOf } from './declared-field.js';
import { operationOf } from './declared-operation.js';
import type { MessageClass } from './field.js';
import { readMessage, type Spelled } from './read-message.js';

/** Fits metadata values of 500,000 bytes in base64; larger requests have an operation that streams. */
const MAX_BODY_BYTES = 1_048_576;

/**
 * The request of an operation, read and validated: the body, overridden by the parameters of the path. GET and DELETE
 * take the other fields from the query; but a DELETE that may have a list takes all from its body, if it has one. A
 * body that cannot contain anything is not read.
 */
export async function readRequest(_: unknown, context: ExecutionContext): Promise<object> {
  const { request: message, elsewhere, sets } = operationOf(context.getHandler()) ?? {};
  if (!message) throw new Error(`${context.getHandler().name} declares no request.`);
  const request = context.switchToHttp().getRequest<ExpressRequest>();
  const path = request.params as Record<string, string>;
  const rest = fieldsOf(message).filter(({ name }) => !Object.hasOwn(path, name));
  const isRead =
    request.method === 'GET' ||
    request.method === 'HEAD' ||
    (request.method === 'DELETE' && (hasNoBody(request) || !rest.some(({ many }) => many)));
  if (isRead) return readMessage(message, {}, { spelled: { ...fromQuery(readQuery(request), message), ...path } });
  if (rest.length === 0) return readMessage(message, {}, { spelled: path });
  const body = await readJson(request, MAX_BODY_BYTES);
  if (elsewhere !== undefined) checkMeant(request.path, body, elsewhere);
  return readMessage(message, body, { spelled: path, sets: sets ?? request.method === 'PUT' });
}

/** Callers who send that member take the name of this operation for the key of an entry. */
function checkMeant(path: string, body: unknown, elsewhere: string): void {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, elsewhere)) return;
  const word = path.slice(path.lastIndexOf('/') + 1);
  throw invalidFields([{ field: 'key', description: `must not be ${word}, which is the name of an operation` }]);
}

/** The second parameter of an operation that has a request. */
export const Message = createParamDecorator(readRequest);

/**
 * Fields of nested messages are written with a dot, `query.limit=20`, and lists of plain values by their name again and
 * again, `keys=a&keys=b`, as in google.api.http; lists of messages cannot be expressed.
 */
function fromQuery(query: Form, message: MessageClass, prefix = ''): Spelled {
  const found: Record<string, Spelled[string]> = {};
  for (const { name, many, part } of fieldsOf(message)) {
    for (const spelling of new Set([name, toSnakeCase(name)])) {
      const place = `${prefix}${spelling}`;
      if (many) {
        const values = part ? [] : query.all(place);
        if (!values || (values.length > 0 && query.isTooLong))
          throw invalidFields([{ field: `${prefix}${name}`, description: 'must be in UTF-8, and not sent as often' }]);
        if (values.length > 0) found[name] = values;
        continue;
      }
      if (query.problemOf(place))
        throw invalidFields([{ field: `${prefix}${name}`, description: 'must be sent only once, in UTF-8' }]);
      const value = query.find(place);
      if (value !== undefined && found[name] !== undefined)
        throw invalidFields([{ field: `${prefix}${name}`, description: 'must be sent only once' }]);
      if (value !== undefined) found[name] = value;
      if (part && query.names.some((one) => one.startsWith(`${place}.`)))
        found[name] = fromQuery(query, part(), `${place}.`);
    }
  }
  return found;
}
