/** A template field, `{{.FirstName}}`, blanks inside the braces allowed. Cut with it, a text has the names at odd places. */
const FIELD = /\{\{[ \t]*\.(\w+)[ \t]*\}\}/u;

/** A stretch of a text, or a template field that stands between two of them. */
export type TemplatePiece = { readonly literal: string } | { readonly field: string };

/**
 * A text in pieces. It is cut up before anything is put in, so that a value which itself contains `{{.Code}}` stays what
 * it is.
 */
export function cutTemplate(text: string): TemplatePiece[] {
  return text.split(FIELD).map((piece, index) => (index % 2 === 0 ? { literal: piece } : { field: piece }));
}

/** A text with its template fields filled in, once. What has no value stays visible. */
export function fillTemplate(text: string, values: Readonly<Record<string, string>>): string {
  return cutTemplate(text)
    .map((piece) => ('literal' in piece ? piece.literal : valueOf(piece.field, values)))
    .join('');
}

/** The value of a template field, or the field itself where there is none. */
export function valueOf(field: string, values: Readonly<Record<string, string>>): string {
  return Object.hasOwn(values, field) ? values[field]! : `{{.${field}}}`;
}

/** What is wrong with a text as a template that may use these fields, in words for whoever wrote it; undefined when it may stay. */
export function templateProblem(text: string, allowed: readonly string[]): string | undefined {
  const pieces = cutTemplate(text);
  const unknown = pieces.find((piece) => 'field' in piece && !allowed.includes(piece.field));
  if (unknown && 'field' in unknown) return `must not use {{.${unknown.field}}}; allowed are ${listOf(allowed)}`;
  if (pieces.some((piece) => 'literal' in piece && piece.literal.includes('{{'))) {
    return `contains a {{ that does not start a template field; allowed are ${listOf(allowed)}`;
  }
  return undefined;
}

/** `{{.Code}}, {{.FirstName}}` */
export function listOf(fields: readonly string[]): string {
  return fields.map((field) => `{{.${field}}}`).join(', ');
}
