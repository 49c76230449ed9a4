/*
 * The content of a .proto file as values: printed for people and generators (proto-text.ts), and turned into
 * descriptors for the running service (proto-descriptors.ts). Since both are derived from here, they always agree.
 */

export type ProtoScalar = 'string' | 'bool' | 'int32' | 'uint32' | 'uint64' | 'bytes';

/** A scalar, or the full name of a message or an enumeration. */
export type ProtoType = { readonly scalar: ProtoScalar } | { readonly message: string } | { readonly choice: string };

export interface ProtoField {
  /** In snake_case. */
  readonly name: string;
  readonly number: number;
  readonly type: ProtoType;
  readonly many?: boolean;
  /** Whether the field has presence: absent is not the same as the zero value. */
  readonly optional?: boolean;
  readonly oneof?: string | undefined;
  readonly comment?: string | undefined;
}

export interface ProtoMessage {
  readonly name: string;
  readonly fields: readonly ProtoField[];
  /** Numbers and names that no field may have. */
  readonly reserved?: ReadonlyArray<{ readonly number: number; readonly name: string }>;
  /** Enumerations whose values have names that are taken outside of it. */
  readonly enums?: readonly ProtoEnum[];
  readonly comment?: string | undefined;
}

export interface ProtoEnum {
  readonly name: string;
  readonly values: ReadonlyArray<{ readonly name: string; readonly number: number }>;
}

export interface HttpRule {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  readonly path: string;
  readonly takesBody: boolean;
}

export interface ProtoMethod {
  readonly name: string;
  /** The full name of the request's message. */
  readonly input: string;
  readonly output: string;
  readonly streams?: 'both' | 'answers';
  /** The routes of the same operation in JSON. */
  readonly http?: readonly [HttpRule, ...HttpRule[]];
  readonly deprecated?: boolean;
  readonly comment?: string | undefined;
}

export interface ProtoService {
  readonly name: string;
  readonly methods: readonly ProtoMethod[];
  readonly comment?: string | undefined;
}

export interface ProtoFile {
  /** `service/admin/v1/admin.proto` */
  readonly path: string;
  readonly package: string;
  readonly imports: readonly string[];
  readonly messages: readonly ProtoMessage[];
  readonly enums?: readonly ProtoEnum[];
  readonly services?: readonly ProtoService[];
  /** `extend google.protobuf.MethodOptions`, of google/api/annotations.proto alone. */
  readonly methodOption?: ProtoField;
}

export const ANNOTATIONS = 'google/api/annotations.proto';

/** The fields in the order of the file: those of one oneof together, at the position of the first. */
export function inFileOrder(fields: readonly ProtoField[]): ProtoField[] {
  const placed = new Set<string>();
  return fields.flatMap((field) => {
    const { oneof } = field;
    if (oneof === undefined) return [field];
    if (placed.has(oneof)) return [];
    placed.add(oneof);
    return fields.filter((one) => one.oneof === oneof);
  });
}
