/**
 * RFC 7240 §2: preferences in any number of fields, each with an optional value and parameters; the first one counts.
 */
export function prefersAsync(fields: readonly string[]): boolean {
  const names = fields
    .flatMap((field) => field.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? [])
    .map((preference) => preference.split(/[;=]/, 1)[0]!.trim().toLowerCase());
  return names.includes('respond-async');
}
