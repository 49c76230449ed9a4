const COLON = /\s*:/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Longer paths are cut in refusals. */
const MAX_PATH_CHARACTERS = 200;

/** An object with the names of its members so far, or an array; and where in it the text is. */
interface Level {
  readonly names: Set<string> | undefined;
  place: string | number;
}

/**
 * The path of the first member that its object has twice, at any depth (`queries[1].nameQuery`), or undefined. RFC 8259
 * §4 leaves it to each parser which of the two counts. The text need not be valid JSON.
 */
export function duplicateMember(json: string): string | undefined {
  const levels: Level[] = [];
  for (let i = 0; i < json.length; i += 1) {
    const character = json[i];
    const level = levels.at(-1);
    if (character === '{') levels.push({ names: new Set(), place: '' });
    else if (character === '[') levels.push({ names: undefined, place: 0 });
    else if (character === '}' || character === ']') levels.pop();
    else if (character === ',' && typeof level?.place === 'number') level.place += 1;
    else if (character === '"') {
      const end = endOfString(json, i);
      if (end === undefined) return undefined;
      const literal = json.slice(i, end + 1);
      i = end;
      COLON.lastIndex = end + 1;
      if (!level?.names || !COLON.test(json)) continue;
      level.place = unescaped(literal);
      if (level.names.has(level.place)) return pathOf(levels);
      level.names.add(level.place);
    }
  }
  return undefined;
}

/** The refusal of a value that could not be stored. */
export const NOT_STORABLE = 'must not contain NUL or unpaired surrogates';

/** Whether PostgreSQL and UTF-8 can represent the text: neither has NUL or unpaired surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * The path of the first name or text that cannot be stored (`jwks.keys[0].kid`), or undefined. Whatever is read from
 * elsewhere may come to be stored or written to the journal.
 * @param json the text that `value` was parsed from, of well-formed UTF-8: then only escapes can express such texts
 */
export function unstorableMember(json: string, value: unknown): string | undefined {
  return json.includes('\\u') ? unstorableIn(value) : undefined;
}

/** Like `unstorableMember`, for a value that was parsed already. */
export function unstorableIn(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${name}]` : `${path === '' ? '' : '.'}${name}`;
    const place = `${path}${step}`.slice(0, MAX_PATH_CHARACTERS);
    // A name of that kind is shown as where it is.
    const found = isStorable(name) ? unstorableIn(inner, place) : path;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether objects and arrays contain each other on more levels than `most`. The text need not be valid JSON. */
export function isNestedDeeperThan(most: number, json: string): boolean {
  let depth = 0;
  for (let i = 0; i < json.length; i += 1) {
    const character = json[i];
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === '"') i = endOfString(json, i) ?? json.length;
    if (depth > most) return true;
  }
  return false;
}

/** The position of the closing quotation mark. */
function endOfString(json: string, start: number): number | undefined {
  for (let i = start + 1; i < json.length; i += 1) {
    const unit = json.charCodeAt(i);
    if (unit === QUOTE) return i;
    if (unit === BACKSLASH) i += 1;
  }
  return undefined;
}

/** The name that a literal means: `"s\u0075b"` is `sub`. */
function unescaped(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}

function pathOf(levels: readonly Level[]): string {
  let path = '';
  for (const { place } of levels) {
    path += typeof place === 'number' ? `[${place}]` : `${path === '' ? '' : '.'}${place}`;
    if (path.length > MAX_PATH_CHARACTERS) break;
  }
  return path.slice(0, MAX_PATH_CHARACTERS);
}
