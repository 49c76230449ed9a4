import { DomainError, type FieldViolation, invalidFields } from '../../foundation/error/domain-error.js';

/** What was refused, and where in the file the reason stands. */
export interface Refusal {
  readonly path: readonly string[];
  readonly error: DomainError;
}

/** The file would do something else by now than its plan has said. */
export function planStale(): DomainError {
  return new DomainError(
    'Aborted',
    'configuration.plan_stale',
    'What the file would change is not what its plan has shown: something was changed meanwhile. Nothing was done; plan it again.',
  );
}

/** Every refusal with its place in the file. */
export function configurationRefused(refusals: readonly Refusal[]): DomainError {
  const violations = refusals.flatMap(({ path, error }) => violationsOf(path, error));
  const [{ field, description }] = violations as [FieldViolation, ...FieldViolation[]];
  return new DomainError(
    'InvalidArgument',
    'configuration.refused',
    `Nothing was done, since parts of the file were refused: ${field}: ${description}.`,
    { violations },
  );
}

/** The broken fields of a refusal by their places in the file. */
export function violationsOf(
  path: readonly string[],
  { violations, message }: DomainError,
): Array<{ readonly field: string; readonly description: string }> {
  const at = path.join('.');
  if (violations.length === 0) return [{ field: at, description: message }];
  return violations.map(({ field, description }) => ({
    field: field.startsWith(`${at}.`) || field === at ? field : [at, field].filter((part) => part !== '').join('.'),
    description,
  }));
}

/** Runs what may be refused for a part of the file: the refusal then names the fields by their places there. */
export async function located<T>(path: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw atPlace(path, error);
  }
}

function atPlace(path: readonly string[], error: unknown): unknown {
  const isOfFields = error instanceof DomainError && error.violations.length > 0;
  return isOfFields ? invalidFields(violationsOf(path, error)) : error;
}

/** What somebody has prepared would go live with the changes of a file, whose plan does not show it. */
export function notInEffect(label: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'configuration.not_in_effect',
    `The preview of the ${label} differs from what is in effect: activate it, or set it back, before a file changes the ${label}.`,
  );
}

export function tooManyAtOnce(): DomainError {
  return new DomainError(
    'ResourceExhausted',
    'configuration.busy',
    'Another configuration is being planned or applied.',
    { retryAfterSeconds: 5 },
  );
}

export function orgUnknown(name: string): DomainError {
  return new DomainError('NotFound', 'configuration.org_unknown', `There is no organization ${JSON.stringify(name)}.`);
}

export function tooManyOrgs(limit: number): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'configuration.too_many_orgs',
    `There are more than ${limit} organizations: name those that are wanted.`,
  );
}

export function appliedNotFound(): DomainError {
  return new DomainError('NotFound', 'configuration.applied_not_found', 'No configuration was applied by that event.');
}

export function undoNotKept(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'configuration.undo_not_kept',
    'The change was too large for its undoing to be kept: apply the file that was pulled before it.',
  );
}
