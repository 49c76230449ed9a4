/** RFC 7240 §2: preferences in any number of fields, each perhaps with a value and parameters, of which the first counts. */
export function prefersAsync(fields: readonly string[]): boolean {
  const names = fields
    .flatMap((field) => field.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? [])
    .map((preference) => preference.split(/[;=]/, 1)[0]!.trim().toLowerCase());
  return names.includes('respond-async');
}
