/** The members of a database error that name where it happened; others hold values of the statement or of the row. */
const NAMES = ['code', 'errno', 'syscall', 'reason', 'query', 'table', 'column', 'constraint', 'routine'] as const;
const MAX_CAUSES = 5;
const MAX_QUERY_CHARACTERS = 2000;

/**
 * An error as a log line shows it: what and where, never with which values. Errors carry more than they say: a failed
 * statement its parameters, a refused row its content, and among those are hashes of passwords.
 */
export function errorFields(thrown: unknown): Record<string, unknown> {
  try {
    return fieldsOf(thrown);
  } catch {
    // Whatever can be thrown can be logged: the log is where an error ends.
    return { type: typeof thrown, message: 'an error that cannot be read' };
  }
}

function fieldsOf(thrown: unknown): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: String(thrown) };
  const members = thrown as Error & Partial<Record<(typeof NAMES)[number], unknown>>;
  const named = NAMES.flatMap((name) => {
    const value = members[name];
    return typeof value === 'string' || typeof value === 'number'
      ? [[name, typeof value === 'string' ? value.slice(0, MAX_QUERY_CHARACTERS) : value] as const]
      : [];
  });
  return { type: thrown.name, message: thrown.message, ...Object.fromEntries(named), stack: stackOf(thrown) };
}

/** The stack of an error, and the stacks of its causes. */
function stackOf(error: Error): string {
  const stacks: string[] = [];
  let next: unknown = error;
  while (next instanceof Error && stacks.length < MAX_CAUSES) {
    stacks.push(next.stack ?? next.message);
    next = next.cause;
  }
  return stacks.join('\ncaused by: ');
}
