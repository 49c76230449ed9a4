import {
  create,
  type DescMessage,
  type FileRegistry,
  fromJson,
  type JsonValue,
  type Message,
  toBinary,
} from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { ConnectError, encodeBinaryHeader } from '@connectrpc/connect';
import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../../../foundation/config/config.js';
import { randomToken } from '../../../foundation/crypto/random.js';
import { toFailure } from '../../../foundation/database/database-failure.js';
import { DomainError } from '../../../foundation/error/domain-error.js';
import { Logger } from '../../../foundation/log/logger.js';
import { refusalFields } from '../../../foundation/log/refusal-fields.js';
import { toErrorBody } from '../status/error-body.js';
import { STATUS } from '../status/status.js';
import { stepUpChallenge } from '../status/step-up.js';
import { packageWord } from './service-protos.js';

/** Clients accept at least 8 kB of trailers; percent-encoding and base64 add to the length. */
const MAX_DETAIL_BYTES = 3_000;

/** The caller and the operation of a refusal, for the log. */
export interface CallFacts {
  readonly path: string;
  readonly address: string;
  readonly userId?: string | undefined;
}

/** The outcome of a call, as gRPC reports it. */
export interface StatusFields {
  readonly 'grpc-status': string;
  readonly 'grpc-message': string;
  readonly 'grpc-status-details-bin'?: string;
  readonly 'retry-after'?: string;
}

/** The one place where an error becomes a gRPC status: code, message and details are those of the JSON response. */
@Injectable()
export class ErrorStatus {
  constructor(
    private readonly log: Logger,
    private readonly issuer: IssuerConfig,
  ) {}

  /** `registry`: knows the messages of the details. */
  toStatus(thrown: unknown, registry: FileRegistry, call: CallFacts): ConnectError {
    if (thrown instanceof ConnectError) return thrown; // its own: a deadline, a cancelled call
    const error = this.toDomainError(toFailure(thrown), call);
    const { code, message, details } = this.describe(error, registry);
    const challenge = stepUpChallenge(error, 'Bearer');
    const metadata = new Headers();
    if (error.retryAfterSeconds !== undefined) metadata.set('retry-after', String(error.retryAfterSeconds));
    if (challenge !== undefined) metadata.set('www-authenticate', challenge);
    return new ConnectError(message, code, metadata, details);
  }

  /**
   * The status of an error as header or trailer fields, for calls that are refused before they are read; the message is
   * not yet escaped.
   */
  toFields(thrown: unknown, registry: FileRegistry, call: CallFacts): StatusFields {
    const error = this.toDomainError(toFailure(thrown), call);
    const { code, message, details } = this.describe(error, registry);
    const status = registry.getMessage('google.rpc.Status')!;
    const packed = create(status, { code, message, details: details.map(({ desc, value }) => anyPack(desc, value)) });
    return {
      'grpc-status': String(code),
      'grpc-message': message,
      'grpc-status-details-bin': encodeBinaryHeader(toBinary(status, packed)),
      ...(error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) }),
    };
  }

  private describe(
    error: DomainError,
    registry: FileRegistry,
  ): { code: number; message: string; details: Array<{ desc: DescMessage; value: Message }> } {
    const { code, message, details } = toErrorBody(withinTrailers(error), packageWord(this.issuer.urnWord));
    return {
      code,
      message,
      details: details.flatMap(({ '@type': type, ...json }) => {
        const descriptor = registry.getMessage(type.slice(type.lastIndexOf('/') + 1));
        return descriptor ? [{ desc: descriptor, value: fromJson(descriptor, json as JsonValue) }] : [];
      }),
    };
  }

  /** Any other error is a defect: the caller gets a reference number, the log gets the details. */
  private toDomainError(thrown: unknown, call: CallFacts): DomainError {
    if (thrown instanceof DomainError && thrown.kind !== 'Internal') {
      this.log.warn({ ...refusalFields(thrown), status: STATUS[thrown.kind].code, method: 'gRPC', ...call }, 'refused');
      return thrown;
    }
    const reference = randomToken(6);
    this.log.error({ err: thrown, method: 'gRPC', path: call.path, reference }, 'defect');
    return new DomainError('Internal', 'internal', `The service failed. Reference ${reference}`);
  }
}

/** Lists as many violations as fit; the message names the first in any case. */
function withinTrailers(error: DomainError): DomainError {
  let bytes = 0;
  const violations = error.violations.filter(
    ({ field, description }, index) =>
      (bytes += Buffer.byteLength(field) + Buffer.byteLength(description) + 8) <= MAX_DETAIL_BYTES || index === 0,
  );
  if (violations.length === error.violations.length) return error;
  return new DomainError(error.kind, error.reason, error.message, { violations });
}
