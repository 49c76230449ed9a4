/** A template field, `{{.FirstName}}`, blanks inside the braces allowed. Cut with it, a text has the names at odd places. */
const FIELD = /\{\{[ \t]*\.(\w+)[ \t]*\}\}/u;

/**
 * A text with its template fields filled in, once: it is cut up before anything is put in, so that a value which itself
 * contains `{{.Code}}` stays what it is. What has no value stays visible.
 */
export function fillTemplate(text: string, values: Readonly<Record<string, string>>): string {
  return text
    .split(FIELD)
    .map((piece, index) => {
      if (index % 2 === 0) return piece;
      return Object.hasOwn(values, piece) ? values[piece]! : `{{.${piece}}}`;
    })
    .join('');
}

/** What is wrong with a text as a template that may use these fields, in words for whoever wrote it; undefined when it may stay. */
export function templateProblem(text: string, allowed: readonly string[]): string | undefined {
  const pieces = text.split(FIELD);
  const unknown = pieces.find((piece, index) => index % 2 === 1 && !allowed.includes(piece));
  if (unknown !== undefined) return `must not use {{.${unknown}}}; allowed are ${listOf(allowed)}`;
  if (pieces.some((piece, index) => index % 2 === 0 && piece.includes('{{'))) {
    return `has a {{ that begins no template field; allowed are ${listOf(allowed)}`;
  }
  return undefined;
}

/** `{{.Code}}, {{.FirstName}}` */
export function listOf(fields: readonly string[]): string {
  return fields.map((field) => `{{.${field}}}`).join(', ');
}
