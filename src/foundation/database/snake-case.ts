/** `humanUsers` is `human_users`: a column of PostgreSQL, and a field as protocol buffers spell it. */
export function toSnakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, '_$&').toLowerCase();
}
