import { DomainError, type Kind } from 'gatehouse';

/** RFC 7644 §3.12, table 9. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** A refusal that only this protocol has: its status is given, since none of the kinds may have it. */
export class ScimError extends DomainError {
  constructor(
    readonly status: number,
    readonly scimType: ScimType | undefined,
    kind: Kind,
    reason: string,
    message: string,
  ) {
    super(kind, reason, message);
  }
}

/** The filter is never part of the message: it may be anything, and holds what people are searched by (SCM-002). */
export function invalidFilter(message: string): ScimError {
  return new ScimError(400, 'invalidFilter', 'InvalidArgument', 'scim.filter_invalid', message);
}

export function invalidSyntax(message: string): ScimError {
  return new ScimError(400, 'invalidSyntax', 'InvalidArgument', 'scim.syntax_invalid', message);
}

export function invalidPath(message: string): ScimError {
  return new ScimError(400, 'invalidPath', 'InvalidArgument', 'scim.path_invalid', message);
}

/** `name` is that of the declaration, never what was sent. */
export function invalidValue(name: string, problem: string): ScimError {
  return new ScimError(400, 'invalidValue', 'InvalidArgument', 'scim.value_invalid', `${name}: ${problem}.`);
}

export function noTarget(message: string): ScimError {
  return new ScimError(400, 'noTarget', 'InvalidArgument', 'scim.no_target', message);
}

export function immutable(message: string): ScimError {
  return new ScimError(400, 'mutability', 'InvalidArgument', 'scim.not_mutable', message);
}

export function tooMany(message: string): ScimError {
  return new ScimError(400, 'tooMany', 'InvalidArgument', 'scim.too_many', message);
}

/** RFC 7644 §3.14. */
export function versionDiffers(): ScimError {
  return new ScimError(
    412,
    undefined,
    'FailedPrecondition',
    'scim.version_differs',
    'The resource has changed since the version that If-Match names: read it again.',
  );
}

export function notFound(what: 'user' | 'group'): ScimError {
  return new ScimError(404, undefined, 'NotFound', `scim.${what}_not_found`, `There is no such ${what}.`);
}
