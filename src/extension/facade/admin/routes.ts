import {
  type ArgumentsHost,
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  UseInterceptors,
} from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { declareLimit, OwnRouteCalls } from '../../../admin/kit/own-route-calls.js';
import { Refusals as RefusalsOfProduct } from '../../../admin/kit/status/refusals.js';
import type { FieldViolation, Kind } from '../../../foundation/error/domain-error.js';
import { Open as OpenOfProduct } from '../../../foundation/http/access.js';
import { readBody } from '../../../foundation/http/body.js';
import { readJson } from '../../../foundation/http/json-body.js';
import { readForm } from '../../../foundation/http/request.js';

const MAX_JSON_BYTES = 1_048_576;
const MAX_FORM_BYTES = 65_536;
const MAX_SECONDS = 60;

/**
 * Opens a route of the extension's own to everybody: the method decides whom it serves. One address may call such
 * routes 1,000 times in 10 seconds.
 * @public
 */
export function Open(): MethodDecorator {
  return applyDecorators(OpenOfProduct(), UseInterceptors(OwnRouteCalls));
}

/**
 * How many seconds a route of the extension's own may take, its body included: 10 unless it says otherwise, 60 at most.
 * @public
 */
export function Within(seconds: number): MethodDecorator {
  if (!(seconds > 0 && seconds <= MAX_SECONDS))
    throw new Error(`A route cannot take ${seconds} seconds. Give at most ${MAX_SECONDS}.`);
  return declareLimit(seconds);
}

/** What may be said about the body of a request. @public */
export interface BodyRules {
  /** The longest body in bytes. */
  readonly maxBytes?: number;
}

/** @public */
export interface JsonBodyRules extends BodyRules {
  /** The media types that the request may say; `application/json` by default. */
  readonly types?: readonly string[];
}

/**
 * The JSON in the body of a request to a route of the extension's own, `{}` without a body; 1 MB at most by default. It
 * is refused, as in the administrative API, where it is no JSON in UTF-8, compressed, nested more than 100 levels deep,
 * or has a member twice.
 * @public
 */
export function JsonBody({ maxBytes = MAX_JSON_BYTES, types }: JsonBodyRules = {}): ParameterDecorator {
  return ofRequest((request) => readJson(request, maxBytes, types));
}

/** The parameters of a form. @public */
export interface FormFields {
  /** The value; undefined if the parameter is absent, empty, repeated, or no valid UTF-8. */
  find(name: string): string | undefined;
  /** Whether it was sent with a value, readable or not. */
  isGiven(name: string): boolean;
}

/**
 * The body of a request to a route of the extension's own as `application/x-www-form-urlencoded`: its `FormFields`; 64
 * kB at most by default.
 * @public
 */
export function FormBody({ maxBytes = MAX_FORM_BYTES }: BodyRules = {}): ParameterDecorator {
  return ofRequest((request): Promise<FormFields> => readForm(request, maxBytes));
}

/** The body of a request to a route of the extension's own as it was sent: a `Buffer`. @public */
export function BytesBody({ maxBytes }: Required<BodyRules>): ParameterDecorator {
  return ofRequest((request) => readBody(request, maxBytes));
}

function ofRequest<T>(read: (request: ExpressRequest) => Promise<T>): ParameterDecorator {
  return createParamDecorator((_: unknown, context: ExecutionContext) =>
    read(context.switchToHttp().getRequest<ExpressRequest>()),
  )();
}

/** What a request is refused with. Members may be added in a minor version. @public */
export interface Refusal {
  /** The HTTP status, as the administrative API would say it. */
  readonly status: number;
  readonly kind: Kind | 'MethodNotAllowed';
  /** The stable id: `user.name_taken`. */
  readonly reason: string;
  /** A sentence for the caller. */
  readonly message: string;
  readonly violations: readonly FieldViolation[];
  readonly retryAfterSeconds?: number;
}

/** For exception filters of the extension's own routes. Inject it by this class. @public */
export abstract class Refusals {
  /**
   * Makes of whatever a route, the guard or Nest's router has thrown a refusal of which the log knows: a defect gets a
   * reference number, and nothing else of it is told. Sets the status, and the headers `WWW-Authenticate`,
   * `Retry-After`, `DPoP-Nonce` and `Allow`; the filter sends the body.
   * @returns undefined if an answer had begun, which is cut off
   */
  abstract answer(thrown: unknown, host: ArgumentsHost): Refusal | undefined;
}

// Messages name it to the author of an extension, and a bundler gives two classes of one name in one file another.
Object.defineProperty(Refusals, 'name', { value: 'Refusals' });

/** The façade over the product's own refusals. */
export class SharedRefusals extends Refusals {
  constructor(private readonly refusals: RefusalsOfProduct) {
    super();
  }

  override answer(thrown: unknown, host: ArgumentsHost): Refusal | undefined {
    const request = host.switchToHttp().getRequest<ExpressRequest>();
    const response = host.switchToHttp().getResponse<ExpressResponse>();
    const refused = this.refusals.begin(thrown, request, response);
    if (!refused) return undefined;
    const { status, error } = refused;
    if (!error) return { status, ...UNMATCHED[status], violations: [] };
    const { kind, reason, message, violations, retryAfterSeconds } = error;
    return {
      status,
      kind,
      reason,
      message,
      violations,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
  }
}

const UNMATCHED = {
  404: { kind: 'NotFound', reason: 'route.not_found', message: 'There is nothing at this path.' },
  405: { kind: 'MethodNotAllowed', reason: 'route.method', message: 'The path has no such method.' },
} as const;
