/** What a member of the payload of an own event is. `texts` is a list of texts. @public */
export type EventMember = 'text' | 'texts' | 'number' | 'boolean';

/** Members of a payload by their names. @public */
export type EventMembers = Readonly<Record<string, EventMember>>;

/** What the payload of an event with these members must be. @public */
export type EventPayload<Members extends EventMembers> = {
  readonly [Name in keyof Members]: {
    text: string;
    texts: readonly string[];
    number: number;
    boolean: boolean;
  }[Members[Name]];
};

/** What an extension declares of a type of events. @public */
export interface ExtEventFacts<Members extends EventMembers> {
  /** `ext.{id}.`, what it is about, and what happens to it: `ext.hr.review.finished`. Never change it. */
  readonly type: `ext.${string}`;
  /** `org`: about something of an organization. `instance`: about something of the instance. */
  readonly level: 'org' | 'instance';
  /** What has happened, and what `aggregateId` is the id of; up to 200 characters. */
  readonly says: string;
  /**
   * The members of its payload. All of them leave the service with webhooks, and none of them is ever erased: ids, keys
   * and numbers, no names, addresses or other personal data. Later versions may add members, and take none away.
   */
  readonly carries?: Members;
}

/** A type of events of an extension, as `defineEvent` returns it. Code that holds it can append such events. @public */
export class ExtEvent<Members extends EventMembers = EventMembers> {
  readonly type: string;
  readonly level: 'org' | 'instance';
  readonly says: string;
  readonly carries: Members;

  /** @internal Use `defineEvent`. */
  constructor({ type, level, says, carries }: ExtEventFacts<Members>) {
    this.type = type;
    this.level = level;
    this.says = says;
    this.carries = carries ?? ({} as Members);
  }
}

/** Defines a type of events, which the extension lists in its manifest (`events`). It is checked at start. @public */
export function defineEvent<const Members extends EventMembers = Record<never, never>>(
  facts: ExtEventFacts<Members>,
): ExtEvent<Members> {
  return new ExtEvent(facts);
}

const PREFIX = 'ext.';
const MAX_TYPES = 100;
const MAX_MEMBERS = 20;
const MAX_SAYS = 200;
const MEMBER = /^[a-z][A-Za-z0-9]{0,39}$/;
const KINDS: ReadonlySet<unknown> = new Set<EventMember>(['text', 'texts', 'number', 'boolean']);

/** Characters. */
const MAX_TEXT = 200;
const MAX_TEXTS = 50;
/** The limit of a payload as JSON. */
const MAX_PAYLOAD_BYTES = 4_096;

/** Whether it is a type of an extension, loaded or not. */
export function isExtType(type: string): boolean {
  return type.startsWith(PREFIX);
}

/** What its events are about: `ext.hr.review` of `ext.hr.review.finished`. */
export function aggregateTypeOf(type: string): string {
  return type.slice(0, type.lastIndexOf('.'));
}

/** What is wrong with the types that an extension declares, each in a sentence with its remedy. */
export function extEventMistakes({
  id,
  events,
}: {
  readonly id: string;
  readonly events: readonly unknown[];
}): string[] {
  const made = events.filter((event): event is ExtEvent => event instanceof ExtEvent);
  const types = made.map(({ type }) => type);
  return [
    ...events.flatMap((event, index) =>
      event instanceof ExtEvent
        ? []
        : [`Event ${index + 1} of the extension ${id} was not made by defineEvent. List what that function returns.`],
    ),
    ...made.flatMap((event) => mistakesIn(id, event)),
    ...[...new Set(types.filter((type, index) => types.indexOf(type) !== index))].map(
      (type) => `The extension ${id} declares the event type ${type} several times. Remove all but one.`,
    ),
    ...(events.length > MAX_TYPES
      ? [`The extension ${id} declares ${events.length} event types; at most ${MAX_TYPES} are possible. Remove some.`]
      : []),
  ];
}

function mistakesIn(id: string, { type, level, says, carries }: ExtEvent): string[] {
  const members = Object.entries(carries);
  const wrong = members.filter(([name, kind]) => !MEMBER.test(name) || !KINDS.has(kind)).map(([name]) => name);
  const ofIt = `The event type ${type} of the extension ${id}`;
  return [
    ...(new RegExp(`^ext\\.${id}(\\.[a-z][a-z0-9_]{0,39}){2,5}$`).test(type)
      ? []
      : [
          `"${type}" cannot be an event type of the extension ${id}. Its own begin with ext.${id}., followed by what they are about and what ` +
            `happens to it, in lower-case words: ext.${id}.review.finished.`,
        ]),
    ...(level === 'org' || level === 'instance' ? [] : [`${ofIt} needs a level: instance or org.`]),
    ...(typeof says === 'string' && says.trim() !== '' && says.length <= MAX_SAYS
      ? []
      : [`${ofIt} needs a sentence of up to ${MAX_SAYS} characters that says what has happened. Give it as "says".`]),
    ...(members.length > MAX_MEMBERS
      ? [`${ofIt} carries ${members.length} members; at most ${MAX_MEMBERS} are possible. Remove some.`]
      : []),
    ...wrong.map(
      (name) =>
        `${ofIt} cannot carry "${name}". Members are letters and digits, a lower-case letter first, and are text, texts, number or boolean.`,
    ),
  ];
}

/**
 * The first thing about a payload that its declaration does not allow, in a sentence; undefined: nothing. Texts are
 * such that PostgreSQL can store them in jsonb.
 */
export function payloadProblem({ carries }: ExtEvent, payload: Readonly<Record<string, unknown>>): string | undefined {
  const surplus = Object.keys(payload).find((name) => !Object.hasOwn(carries, name));
  if (surplus !== undefined) return `it has the member ${surplus}, which is not declared`;
  for (const [name, kind] of Object.entries(carries)) {
    if (!Object.hasOwn(payload, name)) return `it lacks the member ${name}`;
    if (!isOf(kind, payload[name])) return `its member ${name} is not ${DESCRIBED[kind]}`;
  }
  const size = Buffer.byteLength(JSON.stringify(payload));
  return size > MAX_PAYLOAD_BYTES ? `it has ${size} bytes, and ${MAX_PAYLOAD_BYTES} are the most` : undefined;
}

const DESCRIBED: Readonly<Record<EventMember, string>> = {
  text: `a text of at most ${MAX_TEXT} characters`,
  texts: `a list of at most ${MAX_TEXTS} texts of at most ${MAX_TEXT} characters`,
  number: 'a finite number',
  boolean: 'true or false',
};

function isOf(kind: EventMember, value: unknown): boolean {
  switch (kind) {
    case 'text':
      return isText(value);
    case 'texts':
      return Array.isArray(value) && value.length <= MAX_TEXTS && value.every(isText);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'boolean':
      return typeof value === 'boolean';
  }
}

/** Whether PostgreSQL can store it, and it is short enough for the journal. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT && value.isWellFormed() && !value.includes('\0');
}
