/** Something to read on the page of a login step. @public */
export type StepText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  /** Opens in a new window. `href` begins with `https://`, or with `/` for a page of this service. */
  | { readonly kind: 'link'; readonly text: string; readonly href: string };

/**
 * Something to fill in. `name` is how `submit` finds the value: a letter, then at most 39 letters, digits and
 * underscores. What was typed is kept when the page is shown again.
 * @public
 */
export type StepInput =
  /** A checkbox, whose value is `on`. */
  | { readonly kind: 'check'; readonly name: string; readonly label: string; readonly optional?: boolean }
  | {
      readonly kind: 'field';
      readonly name: string;
      readonly label: string;
      readonly hint?: string;
      readonly value?: string;
      readonly optional?: boolean;
      /** The keyboard that suits it; by default that for text. */
      readonly keyboard?: 'text' | 'email' | 'phone' | 'digits';
    }
  | {
      readonly kind: 'choice';
      readonly name: string;
      readonly label: string;
      readonly hint?: string;
      readonly value?: string;
      readonly options: ReadonlyArray<{ readonly value: string; readonly text: string }>;
    };

/** Kinds may be added in a minor version. @public */
export type StepPart = StepText | StepInput;

/**
 * The page of a login step, as data. Gatehouse renders it as its own pages: with the look of the organization, right to
 * left where the language needs it, every value escaped, the form with its token, and without any script.
 * @public
 */
export interface StepPage {
  /** The heading. */
  readonly title: string;
  /** 50 parts and 100,000 characters at most. */
  readonly body: readonly StepPart[];
  /** The button that sends the form. */
  readonly submit: string;
  /** A second button, which ends the sign-in: the application gets `access_denied`. Without it there is none. */
  readonly decline?: string;
}

const MAX_PARTS = 50;
const MAX_ITEMS = 200;
const MAX_CHARACTERS = 100_000;
const INPUT_NAME = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;
/** Fields of the form that are the product's, and ids that its pages have. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'csrf',
  'authRequestID',
  'decision',
  'ui_locales',
  'show',
  'submit',
  'ways',
]);
const KEYBOARDS: ReadonlySet<unknown> = new Set([undefined, 'text', 'email', 'phone', 'digits']);

/**
 * A copy of what a login step wants to show, with nothing but what pages render.
 * @throws Error that says what is wrong with it
 */
export function readStepPage(given: unknown): StepPage {
  const text = JSON.stringify(given) as string | undefined;
  if (text === undefined || text.length > MAX_CHARACTERS)
    throw new Error(`Its page is no object, or takes more than ${MAX_CHARACTERS} characters.`);
  const page = JSON.parse(text) as Record<string, unknown> | null;
  if (page === null || typeof page !== 'object') throw new Error('Its page is no object.');
  const { title, submit, decline, body } = page;
  if (!isText(title) || !isText(submit)) throw new Error('Its page needs a title and the text of a button.');
  if (decline !== undefined && !isText(decline)) throw new Error('The text of its second button is empty, or no text.');
  if (!Array.isArray(body) || body.length > MAX_PARTS)
    throw new Error(`Its page needs a body of at most ${MAX_PARTS} parts.`);
  const parts = body.map((part, index) => {
    if (!isPart(part)) throw new Error(`Part ${index + 1} of its page is none that a page can have.`);
    return part;
  });
  const names = inputsOf(parts).map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`Its page has several inputs with the name ${repeated}.`);
  return { title, body: parts, submit, ...(decline === undefined ? {} : { decline }) };
}

/** What is to be filled in, in the order of the page. */
export function inputsOf(body: readonly StepPart[]): StepInput[] {
  return body.filter((part): part is StepInput => 'name' in part);
}

function isPart(part: unknown): part is StepPart {
  if (typeof part !== 'object' || part === null) return false;
  const { kind, keyboard, options } = part as Record<string, unknown>;
  switch (kind) {
    case 'check':
      return isInput(part);
    case 'field':
      return isInput(part) && KEYBOARDS.has(keyboard);
    case 'choice':
      return isInput(part) && isListOf(options, isOption) && options.length > 0;
    default:
      return isExtText(part);
  }
}

/** Whether it is something to read that pages can show. */
export function isExtText(part: object): part is StepText {
  const { kind, text, items, href } = part as Record<string, unknown>;
  if (kind === 'text') return isText(text);
  return kind === 'list' ? isListOf(items, isText) : kind === 'link' && isText(text) && isAddress(href);
}

function isInput(part: object): boolean {
  const { name, label, hint, value, optional } = part as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    INPUT_NAME.test(name) &&
    !RESERVED_NAMES.has(name) &&
    isText(label) &&
    (hint === undefined || isText(hint)) &&
    (value === undefined || typeof value === 'string') &&
    (optional === undefined || typeof optional === 'boolean')
  );
}

function isOption(option: unknown): boolean {
  if (typeof option !== 'object' || option === null) return false;
  const { value, text } = option as Record<string, unknown>;
  return typeof value === 'string' && isText(text);
}

/** Whether an address may be linked: neither `javascript:` and its kind, nor another host without encryption. */
function isAddress(href: unknown): boolean {
  return typeof href === 'string' && (/^\/(?![/\\])/.test(href) || (/^https:\/\//i.test(href) && URL.canParse(href)));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isListOf(value: unknown, isEntry: (entry: unknown) => boolean): value is unknown[] {
  return Array.isArray(value) && value.length <= MAX_ITEMS && value.every(isEntry);
}
