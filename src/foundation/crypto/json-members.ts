const STRING = /"(?:[^"\\]|\\.)*"/y;
const COLON = /\s*:/y;

/**
 * The first repeated member name in the outermost object of a JSON text, or undefined. The text need not be valid JSON,
 * since it is parsed afterwards.
 */
export function duplicateMember(json: string): string | undefined {
  const seen = new Set<string>();
  let depth = 0;
  for (let i = 0; i < json.length; i += 1) {
    const character = json[i];
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === '"') {
      STRING.lastIndex = i;
      const literal = STRING.exec(json)?.[0];
      if (literal === undefined) return undefined;
      i += literal.length - 1;
      COLON.lastIndex = i + 1;
      if (depth !== 1 || !COLON.test(json)) continue;
      const name = unescaped(literal);
      if (seen.has(name)) return name;
      seen.add(name);
    }
  }
  return undefined;
}

/** `"s\u0075b"` is the name `sub`. */
function unescaped(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}
