/** What identifies a part of a name: types and values as they are compared. */
const PART = /^\s*[A-Za-z0-9.-]+\s*=/;

/**
 * The parts of a distinguished name (RFC 4514 §3), the outermost last, in a form in which equal ones are equal texts;
 * undefined if it is none. Only separators that are not escaped divide it.
 */
export function partsOf(name: string): readonly string[] | undefined {
  const parts: string[] = [];
  let part = '';
  for (let place = 0; place < name.length; place += 1) {
    const character = name[place]!;
    if (character === '\\') {
      part += name.slice(place, place + 2);
      place += 1;
    } else if (character === ',' || character === ';') {
      parts.push(part);
      part = '';
    } else part += character;
  }
  parts.push(part);
  return parts.every((each) => PART.test(each)) ? parts.map(comparable) : undefined;
}

export function isDistinguishedName(text: string): boolean {
  return partsOf(text) !== undefined;
}

/** Whether an entry is below another one, or that one itself. */
export function isWithin(name: string, base: string): boolean {
  const parts = partsOf(name);
  const outer = partsOf(base);
  if (!parts || !outer || parts.length < outer.length) return false;
  const own = parts.slice(parts.length - outer.length);
  return outer.every((part, place) => part === own[place]);
}

export function isSameName(one: string, other: string): boolean {
  return isWithin(one, other) && isWithin(other, one);
}

function comparable(part: string): string {
  return unescaped(part)
    .replace(/\s*=\s*/, '=')
    .trim()
    .replace(/\s+/g, ' ')
    .normalize('NFKC')
    .toLowerCase();
}

/** RFC 4514 §2.4: `\2C` and `\,` are the same. A run of `\xx` is a text in UTF-8. */
function unescaped(part: string): string {
  return part.replace(/((?:\\[0-9a-f]{2})+)|\\(.)/gi, (_, octets: string | undefined, character: string) =>
    octets === undefined ? character : Buffer.from(octets.replaceAll('\\', ''), 'hex').toString(),
  );
}
