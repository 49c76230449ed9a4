/*
 * The entry `gatehouse/admin`: what extensions need for operations of the administrative API.
 */
import 'reflect-metadata';
import './one-copy.js';

export type { MessageClass } from '../../admin/kit/wire/field.js';
export {
  Bytes,
  Count,
  type CountRules,
  type FieldSaid,
  Flag,
  type ListRules,
  Long,
  Moment,
  Named,
  Part,
  Parts,
  Span,
  Struct,
  Text,
  type TextRules,
  Texts,
} from '../../admin/kit/wire/fields.js';
export {
  type DomainError,
  type DomainErrorOptions,
  type FieldViolation,
  type Kind,
} from '../../foundation/error/domain-error.js';
export { AdminRoutes } from '../facade/admin/admin-routes.js';
export {
  Asking,
  type ExtOperation,
  Message,
  OfOrg,
  Operation,
  Requires,
  type RequiresOptions,
} from '../facade/admin/operation.js';
export {
  type BodyRules,
  BytesBody,
  FormBody,
  type FormFields,
  JsonBody,
  type JsonBodyRules,
  Open,
  type Refusal,
  Refusals,
  Within,
} from '../facade/admin/routes.js';
export type { Caller } from '../facade/caller.js';
