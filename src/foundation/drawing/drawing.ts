/** An element of a drawing (SVG 2), with attributes of allowed form alone. */
export interface Drawing {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Drawing[];
}

const MAX_CHARACTERS = 4_000;
const MAX_ELEMENTS = 50;
const ROOT = 'svg';
const NAMESPACE = 'http://www.w3.org/2000/svg';

/** Shapes. Nothing here runs, is animated, has text, or refers to something else. */
const ELEMENTS = new Set(['g', 'path', 'rect', 'circle', 'ellipse', 'polygon', 'polyline', 'line']);

const PAINT = /^(?:none|currentColor|#[\da-fA-F]{3}|#[\da-fA-F]{6})$/;
const NUMBERS = /^[\d\s.,eE+-]+$/;
const WORD = /^[a-z]+$/;
const FORMS: Readonly<Record<string, RegExp>> = {
  fill: PAINT,
  stroke: PAINT,
  d: /^[\d\s.,+MmLlHhVvCcSsQqTtAaZze-]+$/,
  transform: /^[\d\s.,()+A-Za-z-]+$/,
  viewBox: /^-?[\d.]+ -?[\d.]+ [\d.]+ [\d.]+$/,
  'fill-rule': WORD,
  'stroke-linecap': WORD,
  'stroke-linejoin': WORD,
  ...Object.fromEntries(
    ['points', 'x', 'y', 'width', 'height', 'rx', 'ry', 'cx', 'cy', 'r', 'x1', 'y1', 'x2', 'y2'].map((name) => [
      name,
      NUMBERS,
    ]),
  ),
  ...Object.fromEntries(['opacity', 'fill-opacity', 'stroke-width', 'stroke-opacity'].map((name) => [name, NUMBERS])),
};

const TAG = /\s*<(\/?)([A-Za-z]+)((?:\s+[A-Za-z][\w:-]*="[^"<&]*")*)\s*(\/?)>/y;
const ATTRIBUTE = /([\w:-]+)="([^"]*)"/g;

/**
 * An SVG as a tree of shapes, which pages render element by element: what is not understood here can be in no page.
 * @throws Error that says in a few words what is wrong, such as `has the element script`
 */
export function readDrawing(svg: string): Drawing {
  if (svg.length > MAX_CHARACTERS) throw new Error(`has more than ${MAX_CHARACTERS} characters`);
  const open: Array<{ name: string; attributes: Record<string, string>; children: Drawing[] }> = [];
  let root: Drawing | undefined;
  let count = 0;
  for (let at = 0; at < svg.trimEnd().length; at = TAG.lastIndex) {
    TAG.lastIndex = at;
    const found = TAG.exec(svg);
    if (!found || root !== undefined) throw new Error(`is not plain SVG at character ${at + 1}`);
    const [, closes, name = '', attributes = '', isEmpty] = found;
    if (closes === '') {
      count += 1;
      if (count > MAX_ELEMENTS) throw new Error(`has more than ${MAX_ELEMENTS} elements`);
      open.push({ name, attributes: readAttributes(name, attributes, open.length === 0), children: [] });
      if (isEmpty === '') continue;
    }
    const ended = open.pop();
    if (ended?.name !== name) throw new Error(`is not plain SVG at character ${at + 1}`);
    const parent = open.at(-1);
    if (parent) parent.children.push(ended);
    else root = ended;
  }
  if (root === undefined) throw new Error('ends before its root element');
  return root;
}

function readAttributes(element: string, text: string, isRoot: boolean): Record<string, string> {
  if (isRoot ? element !== ROOT : !ELEMENTS.has(element)) throw new Error(`has the element ${element}`);
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(ATTRIBUTE)) {
    if (isRoot && name === 'xmlns' && value === NAMESPACE) continue; // HTML needs none
    const form = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
    if (!form || (name === 'viewBox' && !isRoot)) throw new Error(`has the attribute ${name}`);
    if (!form.test(value)) throw new Error(`has a value of ${name} that is not allowed`);
    attributes[name] = value;
  }
  if (isRoot && attributes['viewBox'] === undefined) throw new Error('has no viewBox');
  return attributes;
}
