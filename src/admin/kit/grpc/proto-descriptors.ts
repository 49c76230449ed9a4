import {
  create,
  createFileRegistry,
  type DescExtension,
  type DescFile,
  type FileRegistry,
  type MessageInitShape,
  setExtension,
  toBinary,
} from '@bufbuild/protobuf';
import {
  type DescriptorProtoSchema,
  type EnumDescriptorProtoSchema,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  type FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  file_google_protobuf_any,
  file_google_protobuf_descriptor,
  file_google_protobuf_duration,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  type MethodDescriptorProtoSchema,
  type MethodOptions,
  MethodOptionsSchema,
} from '@bufbuild/protobuf/wkt';
import {
  inFileOrder,
  type ProtoEnum,
  type ProtoField,
  type ProtoFile,
  type ProtoMessage,
  type ProtoMethod,
  type ProtoScalar,
} from './proto.js';

const WELL_KNOWN: readonly DescFile[] = [
  file_google_protobuf_any,
  file_google_protobuf_descriptor,
  file_google_protobuf_duration,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
];

const SCALARS: Readonly<Record<ProtoScalar, FieldDescriptorProto_Type>> = {
  string: FieldDescriptorProto_Type.STRING,
  bool: FieldDescriptorProto_Type.BOOL,
  int32: FieldDescriptorProto_Type.INT32,
  uint32: FieldDescriptorProto_Type.UINT32,
  uint64: FieldDescriptorProto_Type.UINT64,
  bytes: FieldDescriptorProto_Type.BYTES,
};

/** The descriptors of files, ordered so that each imports only earlier ones. */
export function describeProtos(files: readonly ProtoFile[]): FileRegistry {
  // The option must be known before a method can have it; the files that declare it, with their imports, come first.
  const declaring = files.slice(0, files.findIndex(({ methodOption }) => methodOption !== undefined) + 1);
  const http = registryOf(declaring.map((file) => describeFile(file))).getExtension('google.api.http');
  return registryOf(files.map((file) => describeFile(file, http)));
}

/** The answer of reflection: a file and everything it imports, each after its own imports. */
export function withImports(
  registry: FileRegistry,
  path: string,
  found = new Map<string, Uint8Array>(),
): Map<string, Uint8Array> {
  const file = registry.getFile(path) ?? registry.getFile(path.replace(/\.proto$/, ''));
  if (!file || found.has(path)) return found;
  for (const dependency of file.proto.dependency) withImports(registry, dependency, found);
  return found.set(path, toBinary(FileDescriptorProtoSchema, file.proto));
}

function registryOf(files: readonly FileDescriptorProto[]): FileRegistry {
  return createFileRegistry(
    create(FileDescriptorSetSchema, { file: [...WELL_KNOWN.map(({ proto }) => proto), ...files] }),
  );
}

function describeFile(
  { path, package: name, imports, messages, enums = [], services = [], methodOption }: ProtoFile,
  http?: DescExtension,
): FileDescriptorProto {
  return create(FileDescriptorProtoSchema, {
    name: path,
    package: name,
    syntax: 'proto3',
    dependency: [...imports],
    messageType: messages.map(describeMessage),
    enumType: enums.map(describeEnum),
    service: services.map((service) => ({
      name: service.name,
      method: service.methods.map((method) => describeMethod(method, http)),
    })),
    extension: methodOption ? [{ ...describeField(methodOption, []), extendee: '.google.protobuf.MethodOptions' }] : [],
  });
}

function describeEnum({ name, values }: ProtoEnum): MessageInitShape<typeof EnumDescriptorProtoSchema> {
  return { name, value: values.map((value) => ({ ...value })) };
}

function describeMessage({
  name,
  fields,
  reserved = [],
  enums = [],
}: ProtoMessage): MessageInitShape<typeof DescriptorProtoSchema> {
  const alternatives = [...new Set(fields.flatMap(({ oneof }) => (oneof === undefined ? [] : [oneof])))];
  // A field with presence is the only member of a oneof of its own; those oneofs come last.
  const oneofs = [...alternatives, ...fields.filter(isAlone).map((field) => `_${field.name}`)];
  return {
    name,
    field: inFileOrder(fields).map((field) => describeField(field, oneofs)),
    oneofDecl: oneofs.map((one) => ({ name: one })),
    reservedRange: reserved.map(({ number }) => ({ start: number, end: number + 1 })),
    reservedName: reserved.map((one) => one.name),
    enumType: enums.map(describeEnum),
  };
}

function isAlone({ optional, oneof, many, type }: ProtoField): boolean {
  return optional === true && oneof === undefined && many !== true && !('message' in type);
}

function describeField(
  field: ProtoField,
  oneofs: readonly string[],
): MessageInitShape<typeof FieldDescriptorProtoSchema> {
  const { name, number, type, many, oneof } = field;
  const oneofIndex = oneofs.indexOf(isAlone(field) ? `_${name}` : (oneof ?? ''));
  return {
    name,
    number,
    jsonName: toJsonName(name),
    label: many === true ? FieldDescriptorProto_Label.REPEATED : FieldDescriptorProto_Label.OPTIONAL,
    ...('scalar' in type ? { type: SCALARS[type.scalar] } : {}),
    ...('message' in type ? { type: FieldDescriptorProto_Type.MESSAGE, typeName: `.${type.message}` } : {}),
    ...('choice' in type ? { type: FieldDescriptorProto_Type.ENUM, typeName: `.${type.choice}` } : {}),
    ...(oneofIndex < 0 ? {} : { oneofIndex }),
    ...(isAlone(field) ? { proto3Optional: true } : {}),
  };
}

function describeMethod(
  { name, input, output, streams, http, deprecated }: ProtoMethod,
  option: DescExtension | undefined,
): MessageInitShape<typeof MethodDescriptorProtoSchema> {
  const options: MethodOptions = create(MethodOptionsSchema, deprecated === true ? { deprecated: true } : {});
  if (http && option?.message) {
    const [rule, ...others] = http.map(({ method, path, takesBody }) => ({
      pattern: { case: method, value: path },
      body: takesBody ? '*' : '',
    }));
    setExtension(options, option, create(option.message, { ...rule, additionalBindings: others }));
  }
  return {
    name,
    inputType: `.${input}`,
    outputType: `.${output}`,
    ...(streams === 'both' ? { clientStreaming: true } : {}),
    ...(streams === undefined ? {} : { serverStreaming: true }),
    ...(deprecated === true || http ? { options } : {}),
  };
}

/** Makes the JSON name of a field as protoc does. */
function toJsonName(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
