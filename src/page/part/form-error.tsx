import type { VNode } from 'preact';
import type { FormMistake } from '../../session/auth-request/auth-request.js';
import type { PageTexts } from '../catalogue/catalogue.js';
import { fill } from '../catalogue/catalogue.js';

/** The mistakes in forms, in the words of the catalogue. */
export type FormErrorReason = Exclude<keyof PageTexts['formError'], 'summary'>;

export interface FormError<Field extends string = string> extends FormMistake {
  readonly reason: FormErrorReason;
  readonly field?: Field | undefined;
}

export type FormErrors<Field extends string> = readonly FormError<Field>[] | undefined;

export function errorId(field: string): string {
  return `${field}-error`;
}

function wordsOf({ reason, count, duration }: FormError, texts: PageTexts): string {
  return fill(texts.formError[reason], {
    ...(count === undefined ? {} : { count }),
    ...(duration === undefined ? {} : { duration }),
  });
}

/** The first error of a field, in words. */
export function errorOf<Field extends string>(
  errors: FormErrors<Field>,
  field: Field,
  texts: PageTexts,
): string | undefined {
  const error = errors?.find((each) => each.field === field);
  return error && wordsOf(error, texts);
}

/** The field with the cursor: the first faulty one, else the first one. */
export function fieldInFocus<Field extends string>(
  fields: readonly [Field, ...Field[]],
  errors: FormErrors<Field>,
): Field {
  return fields.find((field) => errors?.some((error) => error.field === field)) ?? fields[0];
}

interface ErrorProps {
  readonly errors: readonly FormError[] | undefined;
  readonly texts: PageTexts;
}

/** The error of a form with one field: the notice above is the message, and the field is described by it. */
export function ErrorNotice({ errors = [], texts }: ErrorProps): VNode | null {
  if (errors.length === 0) return null;
  return (
    <div class="notice notice-error" role="alert">
      {errors.map((error) => (
        <p id={errorId(error.field ?? 'form')}>{wordsOf(error, texts)}</p>
      ))}
    </div>
  );
}

/** The errors of a form with several fields in one place, each leading to its field, where it is said again. */
export function ErrorSummary({ errors = [], texts }: ErrorProps): VNode | null {
  if (errors.every((error) => error.field === undefined)) return <ErrorNotice errors={errors} texts={texts} />;
  return (
    <div class="notice notice-error" role="alert">
      <p class="notice-title">{texts.formError.summary}</p>
      <ul>
        {errors.map((error) => (
          <li>
            {error.field === undefined ? (
              wordsOf(error, texts)
            ) : (
              <a href={`#${error.field}`}>{wordsOf(error, texts)}</a>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
