/**
 * A template field, `{{.FirstName}}`, with optional blanks inside the braces. Splitting a text by it leaves the names
 * at odd positions.
 */
const FIELD = /\{\{[ \t]*\.(\w+)[ \t]*\}\}/u;

/** A stretch of a text, or a template field that stands between two of them. */
export type TemplatePiece = { readonly literal: string } | { readonly field: string };

/**
 * A parsed template. It is split before anything is filled in, so that a value which itself contains `{{.Code}}` stays
 * unchanged.
 */
export function cutTemplate(text: string): TemplatePiece[] {
  return text.split(FIELD).map((piece, index) => (index % 2 === 0 ? { literal: piece } : { field: piece }));
}

/** Fills in the template fields of a text, once. Fields without a value stay visible. */
export function fillTemplate(text: string, values: Readonly<Record<string, string>>): string {
  return cutTemplate(text)
    .map((piece) => ('literal' in piece ? piece.literal : valueOf(piece.field, values)))
    .join('');
}

/** The value of a template field, or the field itself if there is none. */
export function valueOf(field: string, values: Readonly<Record<string, string>>): string {
  return Object.hasOwn(values, field) ? values[field]! : `{{.${field}}}`;
}

/** What is wrong with a text as a template that may use these fields; undefined if it is valid. */
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
