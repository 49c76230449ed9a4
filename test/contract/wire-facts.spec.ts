import { readFileSync } from 'node:fs';
import {
  type DescEnum,
  type DescExtension,
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  type FileRegistry,
  getOption,
  ScalarType,
} from '@bufbuild/protobuf';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { compileProtos } from '../grpc/generated-client.js';

/**
 * What clients of the original know of the operations that both services have. `scripts/wire-facts.mjs` has read it
 * from the descriptors that the original publishes; nothing in it was typed by hand.
 */
interface Facts {
  /** `admin.AddIAMMember`: request, answer, method and path, with blanks between. */
  readonly rpcs: Readonly<Record<string, string>>;
  /** `admin.v1.AddIAMMemberRequest`: `1 user_id string; 2 roles string[]`. */
  readonly messages: Readonly<Record<string, string>>;
  /** `org.v1.OrgState`: `0 ORG_STATE_UNSPECIFIED; 1 ORG_STATE_ACTIVE`. */
  readonly enums: Readonly<Record<string, string>>;
}

const FACTS = JSON.parse(readFileSync(new URL('./wire-facts.json', import.meta.url), 'utf8')) as Facts;

/**
 * The original numbers its fields and values from 0 to 40 (the highest in the facts): what is ours alone begins here.
 */
const FIRST_OWN_NUMBER = 100;

/**
 * Fields of ours below that number, each of which the original has, with this number and meaning, in the sister of the
 * message.
 */
const AS_IN_ITS_SISTER: ReadonlyArray<readonly [message: RegExp, field: string]> = [
  [/PolicyResponse$/, '2 is_default bool'],
  [/^idp\.v2\.GenericOIDCConfig$/, '5 use_pkce bool'],
  [/^idp\.v2\.OAuthConfig$/, '7 use_pkce bool'],
  [/^management\.v1\.RemoveOrgIDPResponse$/, '1 details v1.ObjectDetails'],
];

/** Ours distinguishes an absent header name from an empty one. What is on the wire is the same. */
const SAYS_WHETHER_IT_WAS_SENT = new Set([
  'admin.v1.AddJWTIDPRequest.header_name',
  'management.v1.AddOrgJWTIDPRequest.header_name',
]);

/** Ours has no negative numbers; all others are the same on the wire. */
const UNSIGNED = new Set(['user.v2.GenerateRecoveryCodesRequest.count']);

/** Operations of ours that the original does not have. One that it has must not stand here, but in the facts. */
const OURS_ALONE = [
  'admin.ActivateSigningKey',
  'admin.AddExtensionProvider',
  'admin.AddWebhook',
  'admin.CancelMigrationJob',
  'admin.CreateSigningKey',
  'admin.DeactivateWebhook',
  'admin.ExplainSignIn',
  'admin.GetAppAdministration',
  'admin.GetMailSettings',
  'admin.GetMigrationJob',
  'admin.GetSelfServicePolicy',
  'admin.GetSigningSettings',
  'admin.GetWebhook',
  'admin.ListEventListeners',
  'admin.ListExtensions',
  'admin.ListLogoutNotices',
  'admin.ListMails',
  'admin.ListMigrationJobs',
  'admin.ListParkedEvents',
  'admin.ListSigningKeys',
  'admin.ListWebhookDeliveries',
  'admin.ListWebhooks',
  'admin.PreviewLoginPage',
  'admin.PreviewMessageText',
  'admin.ReactivateWebhook',
  'admin.RegenerateWebhookSecret',
  'admin.RemoveMail',
  'admin.RemoveSigningKey',
  'admin.RemoveWebhook',
  'admin.ReplayEventListener',
  'admin.ReplayWebhook',
  'admin.RetryLogoutNotice',
  'admin.RetryMail',
  'admin.RetryParkedEvent',
  'admin.RetryWebhookDelivery',
  'admin.SendTestMail',
  'admin.SetAppAdministration',
  'admin.SetLabelPolicyIcon',
  'admin.SetLabelPolicyIconDark',
  'admin.SetLabelPolicyLogo',
  'admin.SetLabelPolicyLogoDark',
  'admin.SetSigningSettings',
  'admin.TestIDP',
  'admin.TestWebhook',
  'admin.UpdateIDPExtensionConfig',
  'admin.UpdateSelfServicePolicy',
  'admin.UpdateWebhook',
  'group.CreateGroup',
  'group.DeleteGroup',
  'group.GetGroup',
  'group.ListGroups',
  'group.UpdateGroup',
  'management.AddCustomSelfServicePolicy',
  'management.AddExtensionProvider',
  'management.AddGroupGrant',
  'management.AddGroupMembers',
  'management.AddRegistrationToken',
  'management.AddWebhook',
  'management.ApplyConfiguration',
  'management.CreateGroup',
  'management.CreateInviteCode',
  'management.DeactivateGroupGrant',
  'management.DeactivateWebhook',
  'management.EndUserSession',
  'management.EndUserSessions',
  'management.ExplainSignIn',
  'management.ExplainToken',
  'management.GetAppliedConfiguration',
  'management.GetConfigurationSchema',
  'management.GetDefaultSelfServicePolicy',
  'management.GetGroup',
  'management.GetGroupGrant',
  'management.GetSelfServicePolicy',
  'management.GetWebhook',
  'management.ListAllUsers',
  'management.ListGroupGrants',
  'management.ListGroupMembers',
  'management.ListGroups',
  'management.ListOrgEvents',
  'management.ListProjectResources',
  'management.ListRegistrationTokens',
  'management.ListUserSessions',
  'management.ListWebhookDeliveries',
  'management.ListWebhooks',
  'management.PlanConfiguration',
  'management.PreviewLoginPage',
  'management.PreviewMessageText',
  'management.PreviewTokens',
  'management.PullConfiguration',
  'management.ReactivateGroupGrant',
  'management.ReactivateWebhook',
  'management.RegenerateAppRegistration',
  'management.RegenerateWebhookSecret',
  'management.RemoveGroup',
  'management.RemoveGroupGrant',
  'management.RemoveGroupMembers',
  'management.RemoveHumanAuthFactorRecoveryCodes',
  'management.RemoveRegisteredApps',
  'management.RemoveRegistrationToken',
  'management.RemoveWebhook',
  'management.ReplayWebhook',
  'management.ResetSelfServicePolicyToDefault',
  'management.RetryWebhookDelivery',
  'management.SetCustomLabelPolicyIcon',
  'management.SetCustomLabelPolicyIconDark',
  'management.SetCustomLabelPolicyLogo',
  'management.SetCustomLabelPolicyLogoDark',
  'management.SetProjectResources',
  'management.TestOrgIDP',
  'management.TestWebhook',
  'management.UpdateCustomSelfServicePolicy',
  'management.UpdateGroup',
  'management.UpdateGroupGrant',
  'management.UpdateOrgIDPExtensionConfig',
  'management.UpdateWebhook',
];

let registry: FileRegistry;

beforeAll(async () => {
  registry = await compileProtos();
});

describe('The .proto files', () => {
  it.each(Object.keys(FACTS.rpcs))(
    'have every field, number, kind, label, name, alternative and value that clients of %s know',
    (name) => {
      const [request = '', answer = ''] = FACTS.rpcs[name]!.split(' ');
      const { input, output } = methodOf(name);
      expect([...differences(request, input), ...differences(answer, output)]).toEqual([]);
    },
  );

  it('have no other operations than those of the original and the ones that are listed here', () => {
    const known = new Set(Object.keys(FACTS.rpcs));
    const others = services()
      .flatMap((service) => service.methods.map((method) => `${areaOf(service)}.${method.name}`))
      .filter((name) => !known.has(name));
    expect(others.sort()).toEqual(OURS_ALONE);
  });

  /** Most of the second generation is in none: there the routes are ours. */
  const withRoute = Object.entries(FACTS.rpcs).filter(([, fact]) => fact.split(' ').length === 4);

  it.each(withRoute.map(([name]) => name))('name the route of %s', (name) => {
    const [, , method, path] = FACTS.rpcs[name]!.split(' ');
    expect(rulesOf(methodOf(name)).map(routeOf)).toContain(withoutNames(`${method} ${path}`));
  });

  it('have the operations of openapi.json, with its paths, and a body where it has one', () => {
    const said = services()
      .flatMap(({ methods }) => methods)
      .flatMap(rulesOf)
      .map((rule) => `${routeOf(rule)} ${rule.body}`.trim());
    expect(said.sort()).toEqual(documented().sort());
  });
});

/** Of openapi.json: `POST /admin/v1/orgs/_search *`, with the star where there is a body. */
function documented(): string[] {
  const text = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
  const { paths } = JSON.parse(text) as {
    paths: Readonly<Record<string, Readonly<Record<string, { requestBody?: object }>>>>;
  };
  const ours = Object.entries(paths).filter(([path]) => /^\/(?:(?:admin|management|auth)\/v1|v2)\//.test(path));
  return ours.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) =>
      `${method.toUpperCase()} ${withoutNames(path)} ${requestBody ? '*' : ''}`.trim(),
    ),
  );
}

/** The services of the product. */
function services(): DescService[] {
  return [...registry]
    .filter((one) => one.kind === 'service')
    .filter(({ typeName }) => typeName.startsWith('service.'));
}

/** `admin` of `service.admin.v1.AdminService`: no two services begin with the same word. */
function areaOf({ typeName }: DescService): string {
  return typeName.split('.')[1]!;
}

function methodOf(name: string): DescMethod {
  const [area, method] = name.split('.') as [string, string];
  const found = services()
    .find((service) => areaOf(service) === area)
    ?.methods.find((one) => one.name === method);
  if (!found) throw new Error(`There is no operation ${name}.`);
  return found;
}

interface Rule {
  readonly pattern: { readonly case: string; readonly value: string };
  readonly body: string;
}

/** The route of an operation, and its additional bindings. */
function rulesOf(method: DescMethod): Rule[] {
  const http = registry.getExtension('google.api.http') as DescExtension;
  const { additionalBindings, ...first } = getOption(method, http) as Rule & { additionalBindings: Rule[] };
  return [first, ...additionalBindings];
}

function routeOf({ pattern }: Rule): string {
  return withoutNames(`${pattern.case.toUpperCase()} ${pattern.value}`);
}

function withoutNames(route: string): string {
  return route.replace(/\{\w+(=\*\*)?\}/g, '{}');
}

/**
 * How a message of ours differs from the one that clients know by a name. `seen`: pairs that were compared already; a
 * message may hold itself.
 */
function differences(name: string, ours: DescMessage, seen = new Set<string>()): string[] {
  const pair = `${name} ${ours.typeName}`;
  if (seen.has(pair)) return [];
  seen.add(pair);
  const facts = FACTS.messages[name];
  if (facts === undefined) return [`${name} is in no facts`];
  const byNumber = new Map(ours.fields.map((field) => [field.number, field]));
  const theirs = facts === '' ? [] : facts.split('; ');
  const known = new Set(theirs.map((fact) => Number.parseInt(fact, 10)));
  return [
    ...theirs.flatMap((fact) => differencesOfField(name, fact, byNumber, ours, seen)),
    ...ours.fields
      .filter((field) => !known.has(field.number) && !mayStand(name, field))
      .map((field) => `${name} has no ${toFact(field)}: ours begin at ${FIRST_OWN_NUMBER}`),
  ];
}

function differencesOfField(
  message: string,
  fact: string,
  byNumber: ReadonlyMap<number, DescField>,
  ours: DescMessage,
  seen: Set<string>,
): string[] {
  const [number = '', name = '', type = ''] = fact.split(' ');
  const field = byNumber.get(Number(number));
  const at = `${message}.${name}`;
  if (!field) return isReserved(ours, Number(number), name) ? [] : [`${at} ${number} is neither a field nor reserved`];
  const inner = type.replace('[]', '');
  const found = toFact(field, inner);
  // A message has presence anyway; the label changes nothing on the wire.
  const theirs = field.message
    ? fact.replace(/ optional$/, '')
    : UNSIGNED.has(at)
      ? fact.replace('int32', 'uint32')
      : fact;
  const isSame = found === theirs || (SAYS_WHETHER_IT_WAS_SENT.has(at) && found === `${fact} optional`);
  return [
    ...(isSame ? [] : [`${message} ${fact} is ${found}`]),
    ...(field.message && !inner.startsWith('google.') ? differences(inner, field.message, seen) : []),
    ...(field.enum ? differencesOfEnum(inner, field.enum) : []),
  ];
}

/**
 * As the facts have it. Messages and enumerations have names of ours, which no wire carries: what is in them is
 * compared instead.
 */
function toFact(field: DescField, theirType?: string): string {
  const { number, name, fieldKind, message, enum: choice, scalar, oneof, proto } = field;
  const isTheirs =
    theirType !== undefined &&
    (message
      ? FACTS.messages[theirType] !== undefined && !message.typeName.startsWith('google.')
      : choice && FACTS.enums[theirType] !== undefined);
  const type = isTheirs
    ? theirType
    : ((message ?? choice)?.typeName.replace(/^service\./, '') ?? ScalarType[scalar!].toLowerCase());
  const presence = proto.proto3Optional ? ' optional' : oneof ? ` in ${oneof.name}` : '';
  return `${number} ${name} ${type}${fieldKind === 'list' ? '[]' : ''}${presence}`;
}

function differencesOfEnum(name: string, ours: DescEnum): string[] {
  const theirs = (FACTS.enums[name] ?? '').split('; ');
  const values = ours.values.map((value) => `${value.number} ${value.name}`);
  // Of a number with two names, one suffices: it is the number that is sent, and JSON has one of the names.
  const isThere = (fact: string): boolean =>
    theirs.some((other) => Number.parseInt(other, 10) === Number.parseInt(fact, 10) && values.includes(other));
  const lacking = theirs.filter((fact) => !isThere(fact)).map((fact) => `${name} has no ${fact}`);
  const inTheWay = ours.values.filter(
    (value) => value.number < FIRST_OWN_NUMBER && !theirs.includes(`${value.number} ${value.name}`),
  );
  return [
    ...lacking,
    ...inTheWay.map((value) => `${name} has ${value.number} ${value.name}: ours begin at ${FIRST_OWN_NUMBER}`),
  ];
}

function isReserved({ proto }: DescMessage, number: number, name: string): boolean {
  return (
    proto.reservedName.includes(name) && proto.reservedRange.some(({ start, end }) => number >= start && number < end)
  );
}

function mayStand(message: string, field: DescField): boolean {
  return (
    field.number >= FIRST_OWN_NUMBER ||
    AS_IN_ITS_SISTER.some(([messages, fact]) => messages.test(message) && toFact(field) === fact)
  );
}
