import { create, type DescMessage, type MessageInitShape, toBinary, toJson } from '@bufbuild/protobuf';
import { Code, type ConnectError } from '@connectrpc/connect';
import type { Response as ExpressResponse } from 'express';
import { toSnakeCase } from '../../../foundation/database/snake-case.js';
import { STATUS } from '../status/status.js';

/** Its caller is gone. */
const CANCELED = 499;
const HTTP_STATUS: ReadonlyMap<number, number> = new Map(
  Object.values(STATUS).map(({ code, http }) => [code, http] as const),
);

/**
 * https://connectrpc.com/docs/protocol#error-end-stream: the code by its name, and the details as for gRPC. Clients
 * read the body; `status` is for what stands between, by default that of the code.
 */
export function sendConnectError(
  response: ExpressResponse,
  { code, rawMessage, metadata, details }: ConnectError,
  status = HTTP_STATUS.get(code) ?? CANCELED,
): void {
  for (const [name, value] of metadata) response.setHeader(name, value);
  response.status(status).json({
    code: toSnakeCase(Code[code]).replace(/^_/, ''),
    message: rawMessage,
    details: details.flatMap((detail) => ('desc' in detail ? [toDetail(detail.desc, detail.value)] : [])),
  });
}

/** `debug` is for people: clients read `value`, which is base64 without padding. */
function toDetail(desc: DescMessage, value: MessageInitShape<DescMessage>): object {
  const message = create(desc, value);
  return {
    type: desc.typeName,
    value: Buffer.from(toBinary(desc, message)).toString('base64').replace(/=+$/, ''),
    debug: toJson(desc, message),
  };
}
