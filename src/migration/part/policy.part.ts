import { toSnakeCase } from '../../foundation/database/snake-case.js';
import type { FieldViolation } from '../../foundation/error/domain-error.js';
import { mustBeDomain } from '../../org/name-scope.js';
import {
  lockoutViolations,
  passwordAgeViolations,
  passwordComplexityViolations,
  privacyViolations,
  selfServiceViolations,
} from '../../org/policy/policy-rules.js';
import { type EntryOf, type Field, type Fields, flag, Message, text, whole } from '../document/field.js';
import { idIfAny } from './ids.js';
import { orgStage } from './org.part.js';
import { type DocumentPart, definePart, type Section, type Stored, textOf } from './part.js';
import { type Row, refersTo, type Stage, staging } from './stage.js';

/** A policy of an organization: one row, whose columns have the names of the document's members. */
export function policyStage(
  table: string,
  name: string,
  columns: readonly string[],
  { checks = [], prepare = [] }: Pick<Stage, 'checks' | 'prepare'> = {},
): Stage {
  return {
    prepare,
    table,
    name,
    key: ['owner_id'],
    columns,
    ownerOf: (t) => `${t}.owner_id`,
    checks: [refersTo('owner_id', orgStage), ...checks],
  };
}

interface PolicyFacts<F extends Fields> {
  readonly member: string;
  readonly number: number;
  readonly table: string;
  readonly type: string;
  readonly name: string;
  readonly message: Message<F>;
  readonly violations?: (entry: EntryOf<F>) => FieldViolation[];
  readonly rules?: Pick<Stage, 'checks' | 'prepare'>;
}

function policyPart<F extends Fields>({
  member,
  number,
  table,
  type,
  name,
  message,
  violations,
  rules = {},
}: PolicyFacts<F>): DocumentPart {
  const fields = Object.keys(message.fields);
  const columns = fields.filter((field) => field !== 'orgId').map(toSnakeCase);
  const stage = policyStage(table, name, columns, rules);
  return definePart<F>({
    member,
    number,
    stages: [stage],
    isSingle: true,
    message,
    take(entry, section: Section) {
      section.faults.addAll(section.path, violations?.(entry) ?? []);
      const row: Row = {
        ...Object.fromEntries(
          Object.entries(entry)
            .filter(([field]) => field !== 'orgId')
            .map(([field, value]) => [toSnakeCase(field), value]),
        ),
        owner_id: section.orgId,
      };
      section.stage(stage, row, { type, id: section.orgId });
    },
    select: `SELECT owner_id, ${columns.join(', ')} FROM ${table} WHERE owner_id = :orgId`,
    toEntry: (row: Stored) =>
      Object.fromEntries(
        fields.map((field) => [field, field === 'orgId' ? textOf(row, 'owner_id') : row[toSnakeCase(field)]]),
      ) as Partial<EntryOf<F>>,
  });
}

const FLAGS_OF_INSTANCE = ['validate_org_domains', 'smtp_sender_address_matches_instance_domain'];
/** The member `domainPolicy`. */
export const DOMAIN_POLICY = new Message({
  orgId: idIfAny(1),
  userLoginMustBeDomain: flag(2),
  validateOrgDomains: flag(3),
  smtpSenderAddressMatchesInstanceDomain: flag(4),
});

export const domainPolicyPart = policyPart({
  member: 'domainPolicy',
  number: 4,
  table: 'domain_policy',
  type: 'domain_policy',
  name: 'a domain policy',
  message: DOMAIN_POLICY,
  rules: {
    // The older format contains only one of them; the others are taken from the instance.
    prepare: [
      `UPDATE ${staging('domain_policy')} s
       SET ${FLAGS_OF_INSTANCE.map((column) => `${column} = coalesce(s.${column}, i.${column})`).join(', ')}
       FROM domain_policy i
       WHERE i.owner_id = (SELECT id FROM instance)`,
    ],
    checks: [
      {
        // Users would have to sign in with different names than before, which an import must not cause.
        breaks: () =>
          `s.user_login_must_be_domain <> ${mustBeDomain('s.owner_id')}
           AND EXISTS (SELECT 1 FROM user_account u WHERE u.org_id = s.owner_id AND u.kind = 'human')`,
        says: 'would change the login names of existing users: set the policy before the import',
        verdict: 'conflict',
      },
    ],
  },
});

/** A member of documents in the older format. */
export const iamPolicyPart: DocumentPart = definePart({
  member: 'iamPolicy',
  number: 4,
  isSingle: true,
  stages: domainPolicyPart.stages,
  message: new Message({ orgId: idIfAny(1), userLoginMustBeDomain: flag(2) }),
  take({ userLoginMustBeDomain }, section) {
    const row = {
      owner_id: section.orgId,
      user_login_must_be_domain: userLoginMustBeDomain,
      ...Object.fromEntries(FLAGS_OF_INSTANCE.map((column) => [column, null])),
    };
    section.stage(domainPolicyPart.stages[0]!, row, { type: 'domain_policy', id: section.orgId });
  },
});

/** The member `lockoutPolicy`. */
export const LOCKOUT_POLICY = new Message({ maxPasswordAttempts: whole(1), maxOtpAttempts: whole(2) });

export const lockoutPolicyPart = policyPart({
  member: 'lockoutPolicy',
  number: 6,
  table: 'lockout_policy',
  type: 'lockout_policy',
  name: 'a lockout policy',
  violations: lockoutViolations,
  message: LOCKOUT_POLICY,
});

/** The member `passwordComplexityPolicy`. */
export const PASSWORD_COMPLEXITY_POLICY = new Message({
  minLength: whole(1, { isLong: true }),
  hasUppercase: flag(2),
  hasLowercase: flag(3),
  hasNumber: flag(4),
  hasSymbol: flag(5),
  minLengthWithoutSecondFactor: whole(101),
});

export const passwordComplexityPolicyPart = policyPart({
  member: 'passwordComplexityPolicy',
  number: 8,
  table: 'password_complexity_policy',
  type: 'password_complexity_policy',
  name: 'a password complexity policy',
  violations: passwordComplexityViolations,
  message: PASSWORD_COMPLEXITY_POLICY,
});

/** The member `passwordAgePolicy`. */
export const PASSWORD_AGE_POLICY = new Message({ maxAgeDays: whole(1), expireWarnDays: whole(2) });

/** Extensions that the described system ignores. */
export const passwordAgePolicyPart = policyPart({
  member: 'passwordAgePolicy',
  number: 101,
  table: 'password_age_policy',
  type: 'password_age_policy',
  name: 'a password age policy',
  violations: passwordAgeViolations,
  message: PASSWORD_AGE_POLICY,
});

/** The member `notificationPolicy`. */
export const NOTIFICATION_POLICY = new Message({ passwordChange: flag(1) });

export const notificationPolicyPart = policyPart({
  member: 'notificationPolicy',
  number: 102,
  table: 'notification_policy',
  type: 'notification_policy',
  name: 'a notification policy',
  message: NOTIFICATION_POLICY,
});

export const selfServicePolicyPart = policyPart({
  member: 'selfServicePolicy',
  number: 103,
  table: 'self_service_policy',
  type: 'self_service_policy',
  name: 'a self-service policy',
  violations: selfServiceViolations,
  message: new Message({
    editProfile: flag(1),
    changeEmail: flag(2),
    changePhone: flag(3),
    changePassword: flag(4),
    manageFactors: flag(5),
    linkProviders: flag(6),
    downloadData: flag(7),
    deleteAccount: flag(8),
    accountDeletionGraceDays: whole(9),
  }),
});

const link = (number: number): Field<string> => text(number, { max: 2_000 });
/** The member `privacyPolicy`. */
export const PRIVACY_POLICY = new Message({
  tosLink: link(1),
  privacyLink: link(2),
  helpLink: link(3),
  supportEmail: text(4, { max: 320 }),
  docsLink: link(5),
  customLink: link(6),
  customLinkText: text(7),
});

export const privacyPolicyPart = policyPart({
  member: 'privacyPolicy',
  number: 9,
  table: 'privacy_policy',
  type: 'privacy_policy',
  name: 'a privacy policy',
  violations: privacyViolations,
  message: PRIVACY_POLICY,
});
