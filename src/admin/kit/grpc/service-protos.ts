import { isWordOfAnotherVendor } from '../../../foundation/config/config.js';
import { toSnakeCase } from '../../../foundation/database/snake-case.js';
import { type WireEnum, writtenName } from '../../../foundation/http/wire-enum.js';
import { fieldsOf, nameOf, protoNameOf, reservedOf } from '../wire/declared-field.js';
import type { OperationFacts } from '../wire/declared-operation.js';
import type { DeclaredField, MessageClass } from '../wire/field.js';
import { withWord } from '../wire/worded-path.js';
import type { KnownOperation } from './known-operation.js';
import {
  ANNOTATIONS,
  type HttpRule,
  type ProtoEnum,
  type ProtoField,
  type ProtoFile,
  type ProtoMessage,
  type ProtoMethod,
  type ProtoType,
} from './proto.js';
import { AREAS, generationOf, SERVICE_IDS, SERVICES } from './services.js';

/** Operations whose ids differ in JSON, where all services share one list of ids. */
const RPC_NAMES: Readonly<Record<string, string>> = {
  GetHealth: 'Healthz',
  GetManagementHealth: 'Healthz',
  GetAccountHealth: 'Healthz',
  RemoveMyOrg: 'RemoveOrg',
  ListLanguages: 'GetSupportedLanguages',
};

type Generation = ReturnType<typeof generationOf>;
const GENERATIONS: readonly Generation[] = ['v1', 'v2'];

/** Messages that several operations of a generation share are in a file of their own. */
const TYPES = 'types.proto';

/** `URN_WORD` as a package name, which cannot contain hyphens. */
export function packageWord(urnWord: string): string {
  return urnWord.replaceAll('-', '_');
}

/** A service of the product or of an extension. */
export type ServiceKey = Pick<KnownOperation, 'service' | 'owner'>;

/** The services of the product, then those of the extensions that have operations. */
export function servicesOf(operations: readonly ServiceKey[]): ServiceKey[] {
  const owners = [...new Set(operations.flatMap(({ owner }) => owner ?? []))];
  return [
    ...SERVICE_IDS.map((service) => ({ service, owner: undefined })),
    ...owners.flatMap((owner) =>
      AREAS.filter((service) => operations.some((one) => one.owner === owner && one.service === service)).map(
        (service) => ({ service, owner }),
      ),
    ),
  ];
}

/** `service`, or `service.ext.hr` for an extension: what it declares there never meets a name of the product. */
function rootPackage(owner: string | undefined, word: string): string {
  return owner === undefined ? packageWord(word) : `${packageWord(word)}.ext.${owner}`;
}

function packageOf({ service, owner }: ServiceKey, word: string): string {
  return `${rootPackage(owner, word)}.${SERVICES[service].package}`;
}

export function serviceName(key: ServiceKey, word: string): string {
  return `${packageOf(key, word)}.${SERVICES[key.service].name}`;
}

/** The name of an operation within its service; an additional route has the name of its operation. */
export function rpcName({ facts }: KnownOperation, word: string): string {
  const id = facts.binds ?? facts.id;
  if (id === 'ListMyPermissions')
    return `ListMy${word.slice(0, 1).toUpperCase()}${word.slice(1).replaceAll('-', '')}Permissions`;
  return RPC_NAMES[id] ?? id.replace(/OfOrg$|V2$/, '');
}

/**
 * The files of the services, as the operations declare them, with the operator's word (`URN_WORD`) as the package.
 * Those of an extension are in packages of its own, with a file of types of their own.
 */
export function serviceProtos(operations: readonly KnownOperation[], word: string): ProtoFile[] {
  const owners = [undefined, ...new Set(operations.flatMap(({ owner }) => owner ?? []))];
  const keys = servicesOf(operations);
  return owners.flatMap((owner) =>
    GENERATIONS.flatMap((version) => {
      const types = new Types(rootPackage(owner, word), version, word);
      const services = keys
        .filter((key) => key.owner === owner && generationOf(key.service) === version)
        .map((key) =>
          serviceFile(
            key,
            operations.filter((one) => one.owner === owner && one.service === key.service),
            word,
            types,
          ),
        );
      const others = owner === undefined && version === 'v1' ? [ERROR_DETAIL] : [];
      return services.length === 0 ? [] : [types.file(others), ...services];
    }),
  );
}

function serviceFile(key: ServiceKey, operations: readonly KnownOperation[], word: string, types: Types): ProtoFile {
  const { service } = key;
  const name = packageOf(key, word);
  const sorted = operations
    .filter(({ facts }) => facts.binds === undefined)
    .sort((one, other) => (rpcName(one, word) < rpcName(other, word) ? -1 : 1));
  const messages = sorted.flatMap((operation) => [
    types.message(`${rpcName(operation, word)}Request`, operation.facts.request),
    types.message(`${rpcName(operation, word)}Response`, operation.facts.returns),
  ]);
  return {
    path: `${name.replaceAll('.', '/')}/${service}.proto`,
    package: name,
    imports: [ANNOTATIONS, ...wellKnownIn(messages), types.path].sort(),
    messages,
    services: [
      {
        name: SERVICES[service].name,
        comment: SERVICES[service].comment,
        methods: sorted.map((operation) =>
          toMethod(
            operation,
            operations.filter(({ facts }) => facts.binds === operation.facts.id),
            name,
            word,
          ),
        ),
      },
    ],
  };
}

const ERROR_DETAIL: ProtoMessage = {
  name: 'ErrorDetail',
  comment: 'Why an operation was refused: a stable ID, and what to do.',
  fields: [
    { name: 'id', number: 1, type: { scalar: 'string' } },
    { name: 'message', number: 2, type: { scalar: 'string' } },
  ],
};

function toMethod(
  operation: KnownOperation,
  others: readonly KnownOperation[],
  packageName: string,
  word: string,
): ProtoMethod {
  const { facts } = operation;
  const name = rpcName(operation, word);
  return {
    name,
    input: `${packageName}.${name}Request`,
    output: `${packageName}.${name}Response`,
    comment: `${facts.summary}.`,
    deprecated: facts.deprecated !== undefined,
    http: [operation, ...others].map((one) => toRule(one, word)) as [HttpRule, ...HttpRule[]],
  };
}

function toRule(operation: KnownOperation, word: string): HttpRule {
  const { facts, path, httpMethod } = operation;
  return {
    method: httpMethod.toLowerCase() as 'get',
    path: withWord(protoPath(operation), word),
    takesBody: takesBody(facts, httpMethod, path),
  };
}

/** `/management/v1/projects/{project_id}` */
export function protoPath({ path, facts: { request } }: KnownOperation): string {
  const fields = new Map((request ? fieldsOf(request) : []).map((field) => [field.name, field]));
  return path.replace(/:(\w+)/g, (_, name: string) => `{${protoNameOf(fields.get(name) ?? { name })}}`);
}

/**
 * The rule for JSON: GET has no body, DELETE reads only lists from it, and a body that cannot contain anything is not
 * read.
 */
function takesBody({ request }: OperationFacts, httpMethod: string, path: string): boolean {
  const loose = request ? fieldsOf(request).filter(({ name }) => !path.split('/').includes(`:${name}`)) : [];
  if (httpMethod === 'GET') return false;
  return httpMethod === 'DELETE' ? loose.some(({ many }) => many) : loose.length > 0;
}

/** The messages and enumerations that fields refer to, collected on the way. */
class Types {
  private readonly messages = new Map<string, { readonly of: MessageClass; readonly made: ProtoMessage }>();
  /** The enumerations within messages, by the names of these. */
  private readonly nested = new Map<string, ProtoEnum[]>();
  private readonly enums = new Map<string, { readonly of: WireEnum; readonly made: ProtoEnum }>();

  private readonly package: string;
  private readonly forOthers: boolean;

  /**
   * @param root the package that they are in, without its version
   * @param version the generation: names of the second end with it in openapi.json, where all are in one place
   */
  constructor(
    root: string,
    private readonly version: Generation,
    word: string,
  ) {
    this.package = `${root}.${version}`;
    this.forOthers = isWordOfAnotherVendor(packageWord(word));
  }

  get path(): string {
    return `${this.package.replaceAll('.', '/')}/${TYPES}`;
  }

  message(name: string, message: MessageClass | undefined): ProtoMessage {
    return message
      ? { name, fields: fieldsOf(message).map((field) => this.field(field)), reserved: reservedOf(message) }
      : { name, fields: [] };
  }

  file(others: readonly ProtoMessage[]): ProtoFile {
    const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
      one.name < other.name ? -1 : 1;
    const { messages, enums } = this;
    return {
      path: this.path,
      package: this.package,
      // Complete only after all services have been processed.
      get imports() {
        return wellKnownIn(this.messages);
      },
      get messages() {
        return [...others, ...[...messages.values()].map(({ made }) => made)].sort(byName);
      },
      get enums() {
        return [...enums.values()].map(({ made }) => made).sort(byName);
      },
    };
  }

  private field(field: DeclaredField): ProtoField {
    const { number, many, optional, oneof, description } = field;
    const type = this.typeOf(field);
    const hasPresence = 'message' in type || many;
    return {
      name: protoNameOf(field),
      number,
      type,
      many,
      optional: optional && oneof === undefined && !hasPresence,
      // One that begins with a capital letter is spelt like that by the described system, against the custom.
      oneof: many || oneof === undefined ? undefined : /^[A-Z]/.test(oneof) ? oneof : toSnakeCase(oneof),
      comment: description,
    };
  }

  private typeOf({ kind, choice, part }: DeclaredField): ProtoType {
    switch (kind) {
      case 'text':
        return { scalar: 'string' };
      case 'flag':
        return { scalar: 'bool' };
      case 'count':
        return { scalar: 'uint32' };
      case 'long':
        return { scalar: 'uint64' };
      case 'bytes':
        return { scalar: 'bytes' };
      case 'moment':
        return { message: 'google.protobuf.Timestamp' };
      case 'span':
        return { message: 'google.protobuf.Duration' };
      case 'struct':
        return { message: 'google.protobuf.Struct' };
      case 'choice':
        return { choice: `${this.package}.${this.keepEnum(choice)}` };
      case 'part':
        return { message: `${this.package}.${this.keepMessage(part())}` };
    }
  }

  private keepMessage(message: MessageClass): string {
    const name = this.shortened(nameOf(message));
    const known = this.messages.get(name);
    if (known && known.of !== message) throw new Error(`Two messages are named ${name}.`);
    if (known) return name;
    const fields: ProtoField[] = [];
    const made = { name, fields, reserved: reservedOf(message), enums: this.enumsWithin(name) };
    this.messages.set(name, { of: message, made }); // before its fields: it may contain itself
    fields.push(...fieldsOf(message).map((field) => this.field(field)));
    return name;
  }

  private shortened(name: string): string {
    return this.version === 'v2' ? name.replace(/V2$/, '') : name;
  }

  private keepEnum(choice: WireEnum): string {
    const name = this.shortened(choice.name);
    const { members } = choice;
    const known = this.enums.get(name);
    if (known && known.of !== choice) throw new Error(`Two enumerations are named ${name}.`);
    const made = {
      name,
      values: members.map((member) => ({ name: writtenName(member, this.forOthers), number: member.number })),
    };
    const holder = choice.within === undefined ? undefined : this.shortened(choice.within);
    if (holder === undefined) {
      this.enums.set(name, { of: choice, made });
      return name;
    }
    const beside = this.enumsWithin(holder);
    if (!beside.some((one) => one.name === name)) beside.push(made);
    return `${holder}.${name}`;
  }

  private enumsWithin(message: string): ProtoEnum[] {
    const known = this.nested.get(message) ?? [];
    this.nested.set(message, known);
    return known;
  }
}

function wellKnownIn(messages: readonly ProtoMessage[]): string[] {
  const names = messages.flatMap(({ fields }) =>
    fields.flatMap(({ type }) =>
      'message' in type && type.message.startsWith('google.protobuf.') ? [type.message] : [],
    ),
  );
  return [...new Set(names)].sort().map((name) => `google/protobuf/${name.split('.')[2]!.toLowerCase()}.proto`);
}
