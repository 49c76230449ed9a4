import type { Json } from '../kit/inner-calls.js';
import type { Ground } from './ground.js';
import type { Place, Present } from './place.js';

/** Fields that one operation sets. */
export interface FieldGroup {
  /** The word under which they stand in the object, such as `oidc`; absent: they are fields of the object itself. */
  readonly word?: string;
  /** Below the level: `PUT /policies/login`. Fields are those of its body. */
  readonly route: string;
  /** The fields as they are, of what was read; undefined: this object does not have them. */
  readonly of: (read: Json) => Json | undefined;
  /** The field of the body that is the key of the object: its name, as a rule. */
  readonly keyField?: string;
  /** Fields of the body that are left out, since others say the same. */
  readonly without?: readonly string[];
  /** Whether empty texts stand for nothing, as in texts that take the place of others. */
  readonly isSparse?: boolean;
  /** Fields that are given when the object is added, and cannot be changed. */
  readonly fixed?: readonly string[];
}

/** A field that has operations of its own. */
export interface SpecialField {
  readonly word: string;
  readonly schema: Json;
  /** The value as it is; undefined: this object has no such field. */
  readonly of: (read: Json, ground: Ground, place: Place) => unknown;
  /** The form in which a value of a file is compared; absent: as it is. */
  readonly toCompare?: (wanted: unknown) => unknown;
  /** Whether a setting of an organization begins without it, whatever is above. */
  readonly isOwnAlone?: boolean;
  readonly route: string;
  readonly set: (ground: Ground, place: Place, wanted: unknown, current: unknown) => Promise<void>;
}

/** What a plan says about the people whom a change of these fields affects; asked before the change is made. */
export type Effects = (change: FieldsChange, ground: Ground, place: Place) => Promise<readonly string[]>;

/** A change of an object; what is added has no values before, what is removed none after. */
export interface FieldsChange {
  readonly action: 'add' | 'change' | 'remove';
  /** The key of the object in its collection. */
  readonly key: string;
  readonly before: Json;
  readonly after: Json;
  /** The ids of the object. */
  readonly ids: Json;
}

interface ObjectKind {
  /** `login policy` */
  readonly label: string;
  readonly groups: readonly FieldGroup[];
  readonly specials?: readonly SpecialField[];
  readonly parts?: Kinds;
  readonly effects?: Effects;
}

/** What holds at a place. */
export interface ReadSetting {
  /** False where what is above applies, since there is nothing of its own. */
  readonly isOwn: boolean;
  readonly read: Json;
}

/** A single object. */
export interface SettingKind extends ObjectKind {
  readonly type: 'setting';
  readonly read: (ground: Ground, place: Place) => Promise<ReadSetting>;
  /** Gives it settings of its own, with the same fields as the first group. */
  readonly first?: string;
  /** Takes them away. */
  readonly reset?: string;
  /** Puts into effect what was changed. */
  readonly afterwards?: string;
  /** Whether there are changes by others that `afterwards` would put into effect as well. */
  readonly isPending?: (ground: Ground, place: Place, read: Json) => Promise<boolean>;
}

/** Objects with keys, which are names: ids differ from one instance to the next. */
export interface CollectionKind extends ObjectKind {
  readonly type: 'collection';
  readonly list: (ground: Ground, place: Place) => Promise<readonly Present[]>;
  /** The object that a key means, where it is not simply the one with that key. */
  readonly find?: (
    present: readonly Present[],
    key: string,
    ground: Ground,
    place: Place,
  ) => Promise<Present | undefined>;
  /** Adds an object with the fields that its operation takes; the others are set afterwards. */
  readonly add: (ground: Ground, place: Place, key: string, fields: Json) => Promise<Json>;
  /** The route by which this object would be added. */
  readonly addRoute: (fields: Json) => string;
  readonly remove?: string;
  /** The key under which the journal keeps it, if that is not the same. */
  readonly lastingKey?: (present: Present) => string;
  /** Whether it is not mentioned where there is none: what hardly anybody has. */
  readonly isQuiet?: boolean;
  /** The one field of objects that are written as its value: `ada@acme.example: [ORG_OWNER]`. */
  readonly shorthand?: string;
}

export type Kind = SettingKind | CollectionKind | FolderKind;

/** A word that only holds others. */
export interface FolderKind {
  readonly type: 'folder';
  readonly label: string;
  readonly parts: Kinds;
  readonly isQuiet?: boolean;
}

/** In the order in which they are applied: what others refer to comes first. */
export type Kinds = Readonly<Record<string, Kind>>;
