import { wireEnum } from '../../foundation/http/wire-enum.js';
import type { Field, FieldForm, Fields, Message } from '../../migration/document/field.js';
import { ORG } from '../../migration/part/org.part.js';
import type { DocumentPart } from '../../migration/part/part.js';
import { EXPORT_PARTS } from '../../migration/parts.js';
import type { MessageClass } from '../kit/wire/field.js';
import {
  Bytes,
  Choice,
  Choices,
  Count,
  Flag,
  Long,
  Moment,
  Named,
  Part,
  Parts,
  Reserves,
  Span,
  Struct,
  Text,
  Texts,
} from '../kit/wire/fields.js';
import { SetLoginTextsRequest } from '../text/login-text.dto.js';
import { wordsOf } from './document-words.js';

/*
 * The document of exports and imports as messages, for .proto files and openapi.json. They are made of the very
 * declarations by which imports read and exports write it (src/migration/part), so no member is declared twice; this
 * file only adds what JSON does not show.
 */

interface Shape {
  /** The members that are alternatives, and what the .proto calls the choice between them. */
  readonly oneof?: Readonly<Record<string, string>>;
  /** Members with presence: a message shows whether they were sent. */
  readonly optional?: readonly string[];
  readonly protoNames?: Readonly<Record<string, string>>;
  /** Members that are read, and mean nothing. */
  readonly reserved?: Readonly<Record<number, string>>;
}

const SHAPES: Readonly<Record<string, Shape>> = {
  DataOidcAppAppLoginVersion: { oneof: { loginV1: 'version', loginV2: 'version' } },
  DataOidcAppAppLoginVersionLoginV2: { optional: ['baseUri'] },
  DataHumanUserUserRecoveryCode: { oneof: { raw: 'code_type', hash: 'code_type' } },
  DataHumanUserUserHashedPassword: { reserved: { 2: 'algorithm' } },
  DataHumanUserUserPasskey: { optional: ['isBackupEligible'] },
  DataMachineUserUser: { optional: ['userId'] },
  DataLoginPolicyIdp: { protoNames: { ownerType: 'ownerType' } },
  DataDomain: { reserved: { 2: 'details' } },
};

/** Messages of the document that are requests of the API already, as in the original. */
const made = new Map<unknown, MessageClass>(
  EXPORT_PARTS.filter(({ member }) => member === 'loginTexts').map(({ message }) => [message, SetLoginTextsRequest]),
);

function messageOf(name: string, message: Message<Fields>): MessageClass {
  const known = made.get(message);
  if (known) return known;
  const declared = named(name);
  made.set(message, declared);
  const { oneof = {}, optional = [], protoNames = {}, reserved } = SHAPES[name] ?? {};
  for (const [field, facts] of Object.entries(message.fields)) {
    const said = {
      ...wordsOf(name, field),
      ...(oneof[field] === undefined ? {} : { oneof: oneof[field] }),
      ...(optional.includes(field) ? { optional: true } : {}),
      ...(protoNames[field] === undefined ? {} : { protoName: protoNames[field] }),
    };
    decoratorOf(
      `${name}${capital(singular(field, facts.many === true))}`,
      facts,
      said,
    )(declared.prototype as object, field);
  }
  if (reserved) Reserves(reserved)(declared);
  return declared;
}

/** `name`: of a message that the field would hold. */
function decoratorOf(
  name: string,
  { number, form, many = false }: Pick<Field<unknown>, 'number' | 'form' | 'many'>,
  said: object = {},
): PropertyDecorator {
  if (form.kind === 'part') {
    const message = messageOf(name, form.message);
    return many ? Parts(number, () => message, said) : Part(number, () => message, said);
  }
  if (form.kind === 'choice') return many ? Choices(number, form.choice, said) : Choice(number, form.choice, said);
  if (many && form.kind !== 'text') throw new Error(`${name} is a list of what no list of a document holds.`);
  return many ? Texts(number, said) : SCALARS[form.kind](number, said);
}

const SCALARS: Readonly<
  Record<Exclude<FieldForm['kind'], 'part' | 'choice'>, (number: number, said: object) => PropertyDecorator>
> = {
  text: Text,
  flag: Flag,
  count: Count,
  long: Long,
  span: Span,
  moment: Moment,
  bytes: Bytes,
  struct: Struct,
};

function named(name: string): MessageClass {
  const message = class {};
  Named(name)(message);
  return message;
}

/** `numberOf`: in this form of the document; undefined where the form has no such member. */
function orgOf(name: string, numberOf: (part: DocumentPart) => number | undefined): MessageClass {
  const org = named(name);
  const { orgId, org: about, orgState } = ORG.fields;
  decoratorOf(name, orgId)(org.prototype as object, 'orgId');
  decoratorOf('DataOrgName', about)(org.prototype as object, 'org');
  const members = EXPORT_PARTS.flatMap((part) => {
    const number = numberOf(part);
    return number === undefined ? [] : [{ part, number }];
  });
  for (const {
    part: { member, message, isSingle },
    number,
  } of members.sort((one, other) => one.number - other.number)) {
    const entry = messageOf(`Data${capital(singular(member, isSingle !== true))}`, message);
    (isSingle === true ? Part(number, () => entry) : Parts(number, () => entry))(org.prototype as object, member);
  }
  if (name !== 'DataOrg') return org;
  decoratorOf(name, orgState, wordsOf(name, 'orgState'))(org.prototype as object, 'orgState');
  Struct(109, wordsOf(name, 'extensions'))(org.prototype as object, 'extensions');
  return org;
}

/** `humanUsers`: `humanUser`. */
function singular(name: string, isMany: boolean): string {
  return isMany ? name.replace(/s$/, '') : name;
}

function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** The organization of the newer form, without numbers for members of the older one, which are only read. */
export const DataOrg = orgOf('DataOrg', ({ number, select }) => (select === undefined ? undefined : number));

/** Numbers of the older form where they differ: it ends with 40, and has no member beyond. */
const OLDER: Readonly<Record<string, number | undefined>> = {
  domainPolicy: undefined,
  iamPolicy: 4,
  secondFactors: 33,
  multiFactors: 34,
  idps: 35,
  userLinks: 36,
  domains: 37,
  appKeys: 38,
  machineKeys: 39,
  inviteUserMessages: 40,
  verifySmsOtpMessages: undefined,
  verifyEmailOtpMessages: undefined,
  triggerActions: undefined,
};

export const DataOrgV1 = orgOf('DataOrgV1', ({ member, number }) =>
  member in OLDER ? OLDER[member] : number < 40 ? number : undefined,
);

const FLOW_TYPE = wireEnum('FlowType', { FLOW_TYPE_UNSPECIFIED: [0, ''], FLOW_TYPE_EXTERNAL_AUTHENTICATION: [1, '1'] });
const TRIGGER_TYPE = wireEnum('TriggerType', {
  TRIGGER_TYPE_UNSPECIFIED: [0, ''],
  TRIGGER_TYPE_POST_AUTHENTICATION: [1, '1'],
  TRIGGER_TYPE_PRE_CREATION: [2, '2'],
  TRIGGER_TYPE_POST_CREATION: [3, '3'],
});

/** In the older form the types have names; in the newer one they are numbers in a text. */
@Named('DataTriggerActionV1')
class DataTriggerActionV1 {
  @Choice(1, FLOW_TYPE, { description: 'The flow type.' })
  readonly flowType!: string;

  @Choice(2, TRIGGER_TYPE, { description: 'The trigger: when in the flow the scripts would run.' })
  readonly triggerType!: string;

  @Texts(3, wordsOf('DataTriggerAction', 'actionIds'))
  readonly actionIds!: string[];
}
Parts(16, () => DataTriggerActionV1)(DataOrgV1.prototype as object, 'triggerActions');
