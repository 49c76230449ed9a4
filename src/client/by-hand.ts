/* What of the client is not made from openapi.json: the part that api/client.api.md reports. */
export type { CallOptions, Fetch, Gatehouse, Token, TokenRequest } from './call.js';
export * from './connection.js';
export * from './error.js';
export * from './job.js';
export type { AnyOperation, Input, Output, Reason, Traits } from './known-operation.js';
export * from './list.js';
export { type Arguments, type ListOperation, type Operation, operation, raw } from './operation.js';
