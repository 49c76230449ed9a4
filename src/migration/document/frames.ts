/** Objects whose members are handed on one by one; `extension`: the tables of one, below `extensions`. */
export type Container = 'request' | 'data' | 'org' | 'extensions' | 'extension';

/** The kind of each nesting level that is not held. `skipped`: part of an unknown member. */
export type Frame = Container | 'orgs' | 'list' | 'skipped';

/** Spellings of the members that hold a document. */
export const DATA: ReadonlySet<string> = new Set(['dataOrgs', 'data_orgs', 'dataOrgsv1', 'data_orgsv1']);

export interface Level {
  readonly isList: boolean;
  /** Undefined: entries are handed on as they arrive and not kept. */
  readonly held: Record<string, unknown> | unknown[] | undefined;
  /** The names seen so far, if entries are not kept. */
  readonly names: Set<string>;
  /** Whether the handler knows the current member. */
  isKnown: boolean;
  key: string;
  index: number;
  /** The token that may come next. */
  expects: 'key' | 'keyOrEnd' | 'colon' | 'value' | 'valueOrEnd' | 'commaOrEnd';
}

export function isContainer(frame: Frame | undefined): frame is Container {
  return frame !== undefined && frame !== 'orgs' && frame !== 'list' && frame !== 'skipped';
}

/** The kind of a level that is handed on entry by entry instead of being held; undefined for one that is held. */
export function frameWithin(
  frame: Frame | undefined,
  { key, isKnown }: Pick<Level, 'key' | 'isKnown'>,
  isList: boolean,
): Frame | undefined {
  if (!isKnown) return 'skipped';
  switch (frame) {
    case 'skipped':
      return 'skipped';
    case 'request':
      return !isList && DATA.has(key) ? 'data' : undefined;
    case 'data':
      return isList && key === 'orgs' ? 'orgs' : undefined;
    case 'orgs':
      return isList ? undefined : 'org';
    case 'org':
      if (isList) return 'list';
      return key === 'extensions' ? 'extensions' : undefined;
    case 'extensions':
      return isList ? undefined : 'extension';
    case 'extension':
      return isList ? 'list' : undefined;
    default:
      return undefined;
  }
}
