import { toSnakeCase } from '../../foundation/database/snake-case.js';
import { IDP_OWNER_TYPE } from '../../idp/idp.enums.js';
import type { MultiFactor, SecondFactor } from '../../org/policy/login-policy.entity.js';
import { MULTI_FACTOR_TYPE, PASSWORDLESS_TYPE, SECOND_FACTOR_TYPE } from '../../org/policy/policy.enums.js';
import { CHECK_LIFETIMES, loginViolations } from '../../org/policy/policy-rules.js';
import type { Note } from '../document/faults.js';
import { choice, choices, type EntryOf, flag, Message, parts, span, text } from '../document/field.js';
import { idpStage } from './idp.part.js';
import { idOf } from './ids.js';
import { orgStage } from './org.part.js';
import { type DocumentPart, definePart, listIn, type Section, textOf } from './part.js';
import { noted, OWN_OR_INSTANCE, quoted, refersTo, type Stage, staging, usable } from './stage.js';

/** Without an owner type, it is derived: an id belongs to only one owner. */
const LISTED = new Message({ idpId: idOf(1), ownerType: choice(2, IDP_OWNER_TYPE) }, ['idpId']);

const MAX_NOTES = 100;

/** Members that have a column of their name. */
const FLAGS = [
  'allowUsernamePassword',
  'allowRegister',
  'allowExternalIdp',
  'forceMfa',
  'hidePasswordReset',
  'ignoreUnknownUsernames',
  'allowDomainDiscovery',
  'disableLoginWithEmail',
  'disableLoginWithPhone',
  'forceMfaLocalOnly',
] as const;
const secondsOf = (lifetime: (typeof CHECK_LIFETIMES)[number]): string => `${toSnakeCase(lifetime)}_seconds`;
const COLUMNS = [
  ...FLAGS.map(toSnakeCase),
  'passwordless_type',
  'default_redirect_uri',
  ...CHECK_LIFETIMES.map(secondsOf),
  'second_factors',
  'multi_factors',
];

const PROVIDER_UNKNOWN = 'lists an identity provider that is neither in the document nor one of the instance here';
const NONE_LEFT =
  'is switched off: none of the listed providers is here, and where none is listed, all of them are offered';
/** The import must not let more people sign in than the document says. */
const closeWithoutProviders = (skip: boolean): string => {
  const listed = `${staging('login_policy_idp')} l WHERE l.owner_id = s.owner_id`;
  const isHere = `EXISTS (
          SELECT 1 FROM ${staging('idp')} i
          WHERE i.id = l.idp_id AND i._org = s._org AND ${usable(skip, 'i')}
        )
        OR EXISTS (
          SELECT 1 FROM idp i
          WHERE i.id = l.idp_id AND i.owner_id IN (s._org, (SELECT id FROM instance))
        )`;
  return `UPDATE ${staging('login_policy')} s
    SET
      allow_external_idp = false,
      _notes = ${noted('s', `s._path || '.loginPolicy.allowExternalIdp'`, quoted(NONE_LEFT))}
    WHERE s.allow_external_idp
      AND EXISTS (SELECT 1 FROM ${listed})
      AND NOT EXISTS (SELECT 1 FROM ${listed} AND (${isHere}))`;
};

const loginPolicyStage: Stage = {
  table: 'login_policy',
  name: 'a login policy',
  key: ['owner_id'],
  columns: COLUMNS,
  sets: ['second_factors', 'multi_factors'],
  ownerOf: (t) => `${t}.owner_id`,
  // Lifetimes that the document omits are those of the instance.
  prepare: [
    `UPDATE ${staging('login_policy')} s
     SET ${CHECK_LIFETIMES.map(secondsOf)
       .map((column) => `${column} = coalesce(s.${column}, i.${column})`)
       .join(', ')}
     FROM login_policy i
     WHERE i.owner_id = (SELECT id FROM instance)`,
  ],
  resolve: (skip) => [closeWithoutProviders(skip)],
  // The providers are part of the policy, so that they are compared as well.
  sameOnlyIf: `NOT EXISTS (
      SELECT 1 FROM login_policy_idp i
      WHERE i.owner_id = t.owner_id
        AND NOT EXISTS (
          SELECT 1 FROM ${staging('login_policy_idp')} d
          WHERE d.owner_id = i.owner_id AND d.idp_id = i.idp_id
        )
    )`,
  checks: [refersTo('owner_id', orgStage)],
};

const loginPolicyIdpStage: Stage = {
  table: 'login_policy_idp',
  name: 'a provider of a login policy',
  key: ['owner_id', 'idp_id'],
  columns: [],
  ownerOf: (t) => `${t}.owner_id`,
  checks: [
    refersTo('owner_id', loginPolicyStage, { key: 'owner_id', says: 'belongs to a login policy that is not imported' }),
    refersTo('idp_id', idpStage, { ...OWN_OR_INSTANCE, says: PROVIDER_UNKNOWN, verdict: 'left_out' }),
    {
      breaks: () => 'EXISTS (SELECT 1 FROM login_policy p WHERE p.owner_id = s.owner_id)',
      says: 'is a provider that the existing login policy does not list',
      verdict: 'conflict',
    },
  ],
};

/** The member `loginPolicy`. */
export const LOGIN_POLICY = new Message({
  allowUsernamePassword: flag(1),
  allowRegister: flag(2),
  allowExternalIdp: flag(3),
  forceMfa: flag(4),
  passwordlessType: choice(5, PASSWORDLESS_TYPE),
  hidePasswordReset: flag(6),
  ignoreUnknownUsernames: flag(7),
  defaultRedirectUri: text(8, { max: 2_000 }),
  passwordCheckLifetime: span(9),
  externalLoginCheckLifetime: span(10),
  mfaInitSkipLifetime: span(11),
  secondFactorCheckLifetime: span(12),
  multiFactorCheckLifetime: span(13),
  secondFactors: choices(14, SECOND_FACTOR_TYPE),
  multiFactors: choices(15, MULTI_FACTOR_TYPE),
  idps: parts(16, LISTED, 100),
  allowDomainDiscovery: flag(17),
  disableLoginWithEmail: flag(18),
  disableLoginWithPhone: flag(19),
  forceMfaLocalOnly: flag(20),
});

type LoginPolicy = EntryOf<typeof LOGIN_POLICY.fields>;

export const loginPolicyPart: DocumentPart = definePart({
  member: 'loginPolicy',
  number: 7,
  isSingle: true,
  stages: [loginPolicyStage, loginPolicyIdpStage],
  message: LOGIN_POLICY,
  take(entry, section) {
    section.notes.set('loginPolicy', [entry, section.faults.takeNotes()]);
    entry.secondFactors.forEach((factor, index) => {
      if (factor === 'unspecified') section.faults.add(`${section.path}.secondFactors[${index}]`, 'must name a factor');
    });
    entry.multiFactors.forEach((factor, index) => {
      if (factor === 'unspecified') section.faults.add(`${section.path}.multiFactors[${index}]`, 'must name a factor');
    });
    section.faults.addAll(
      section.path,
      loginViolations({
        ...entry,
        secondFactors: entry.secondFactors as SecondFactor[],
        multiFactors: entry.multiFactors as MultiFactor[],
      }),
    );
  },
  /** Written at the end of the organization: the older format sends factors and providers beside the policy. */
  finish(section) {
    const [entry, found] = (section.notes.get('loginPolicy') ?? []) as [LoginPolicy?, (readonly Note[])?];
    if (!entry) return;
    for (const { path, message } of found ?? []) section.faults.note(path, message);
    const more = (name: string): string[] => (section.notes.get(name) ?? []) as string[];
    section.stage(
      loginPolicyStage,
      {
        owner_id: section.orgId,
        ...Object.fromEntries(FLAGS.map((name) => [toSnakeCase(name), entry[name]])),
        passwordless_type: entry.passwordlessType,
        default_redirect_uri: entry.defaultRedirectUri,
        ...Object.fromEntries(CHECK_LIFETIMES.map((name) => [secondsOf(name), entry[name] ?? null])),
        second_factors: [...new Set<string>([...entry.secondFactors, ...more('secondFactors')])],
        multi_factors: [...new Set<string>([...entry.multiFactors, ...more('multiFactors')])],
      },
      { type: 'login_policy', id: section.orgId },
    );
    for (const idpId of new Set([...entry.idps.map((idp) => idp.idpId), ...more('idps')])) {
      section.stage(
        loginPolicyIdpStage,
        { owner_id: section.orgId, idp_id: idpId },
        { type: 'login_policy', id: `${section.orgId}_${idpId}` },
      );
    }
  },
  select: `SELECT
      p.owner_id,
      ${COLUMNS.map((column) => `p.${column}`).join(', ')},
      ARRAY(
        SELECT l.idp_id FROM login_policy_idp l
        WHERE l.owner_id = p.owner_id
        ORDER BY l.idp_id
      ) AS idp_ids,
      ARRAY(
        SELECT CASE WHEN i.owner_id = p.owner_id THEN 'org' ELSE 'instance' END
        FROM login_policy_idp l
        JOIN idp i ON i.id = l.idp_id
        WHERE l.owner_id = p.owner_id
        ORDER BY l.idp_id
      ) AS idp_owners
    FROM login_policy p
    WHERE p.owner_id = :orgId`,
  toEntry(row) {
    const owners = listIn<'org' | 'instance'>(row, 'idp_owners');
    return {
      ...Object.fromEntries(FLAGS.map((name) => [name, row[toSnakeCase(name)]])),
      ...Object.fromEntries(CHECK_LIFETIMES.map((name) => [name, row[secondsOf(name)]])),
      passwordlessType: row['passwordless_type'] as LoginPolicy['passwordlessType'],
      defaultRedirectUri: textOf(row, 'default_redirect_uri'),
      secondFactors: [...listIn<SecondFactor>(row, 'second_factors')].sort(),
      multiFactors: [...listIn<MultiFactor>(row, 'multi_factors')].sort(),
      idps: listIn(row, 'idp_ids').map((idpId, index) => ({ idpId, ownerType: owners[index] ?? 'org' })),
    };
  },
});

/** Adds each value once: there are few factors and providers, however often a document repeats them. */
function addNote({ notes, faults, path }: Section, name: string, note: string): void {
  const known = notes.get(name) ?? [];
  notes.set(name, known);
  if (known.includes(note)) return;
  if (known.length < MAX_NOTES) known.push(note);
  else faults.add(path, `exceeds the limit: at most ${MAX_NOTES} different entries`);
}

/** The members that the older format sends beside the login policy. */
function beside(
  member: string,
  number: number,
  words: typeof SECOND_FACTOR_TYPE | typeof MULTI_FACTOR_TYPE,
): DocumentPart {
  return definePart({
    member,
    number,
    stages: [],
    message: new Message({ type: choice<string>(1, words) }, ['type']),
    take: ({ type }, section) => addNote(section, member, type),
  });
}

export const secondFactorPart = beside('secondFactors', 33, SECOND_FACTOR_TYPE);
export const multiFactorPart = beside('multiFactors', 34, MULTI_FACTOR_TYPE);
export const listedIdpPart: DocumentPart = definePart({
  member: 'idps',
  number: 35,
  stages: [],
  message: LISTED,
  take: ({ idpId }, section) => addNote(section, 'idps', idpId),
});
