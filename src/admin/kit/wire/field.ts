import type { WireEnum } from '../../../foundation/http/wire-enum.js';

/** A class whose properties are declared as fields of the wire. @public */
export type MessageClass<T extends object = object> = new () => T;

/**
 * The kind of a field, after the types of protobuf: string, bool, uint32, uint64, timestamp, duration, bytes and
 * struct; an enumeration, with what may be chosen; and another message, with its class.
 */
export type FieldShape =
  | {
      readonly kind: 'text' | 'flag' | 'count' | 'long' | 'moment' | 'span' | 'bytes' | 'struct';
      readonly choice?: undefined;
      readonly part?: undefined;
    }
  | { readonly kind: 'choice'; readonly choice: WireEnum; readonly part?: undefined }
  | { readonly kind: 'part'; readonly part: () => MessageClass; readonly choice?: undefined };

/** What the edge knows of a field: enough to read it from JSON, to write it, and to declare it in a .proto. */
export type DeclaredField = FieldFacts & FieldShape;

export interface FieldFacts {
  /** In lowerCamelCase; snake_case is accepted as well. */
  readonly name: string;
  /** The protobuf field number. */
  readonly number: number;
  /** The name in the .proto, if it is not the name in snake_case. */
  readonly protoName?: string;
  readonly many: boolean;
  /** How many entries a list may have; a longer one is not read. */
  readonly maxItems: number;
  /** Whether the reader distinguishes an absent field from the zero value: it leaves the property undefined. */
  readonly optional: boolean;
  /** The name of the oneof that the field belongs to; such fields are always optional. */
  readonly oneof?: string;
  /** For the documentation. */
  readonly description?: string | undefined;
  /** An example as JSON, for the documentation. */
  readonly example?: unknown;
  readonly mandatory: boolean;
  /** A list that takes the place of what is there: JSON without it is refused. */
  readonly replaces?: boolean;
  /** Sent and never answered. */
  readonly isSecret: boolean;
}
