/** Root, `paths`, path; and root, `components`, `schemas`. */
const DEPTH = 3;

/**
 * An OpenAPI document as text: each operation and each schema on a line of its own. That halves it, and differences
 * still show which ones have changed.
 */
export function documentText(document: object): string {
  return `${toLines(document, DEPTH, '')}\n`;
}

function toLines(value: unknown, depth: number, indent: string): string {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const lines = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => {
      const text = toLines(member, depth - 1, `${indent} `);
      return `${indent} ${isList ? '' : `${JSON.stringify(name)}: `}${text}`;
    });
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}
