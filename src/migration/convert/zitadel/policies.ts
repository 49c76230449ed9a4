import type { FieldViolation } from '../../../foundation/error/domain-error.js';
import {
  lockoutViolations,
  loginViolations,
  passwordAgeViolations,
  passwordComplexityViolations,
  privacyViolations,
} from '../../../org/policy/policy-rules.js';
import { flagOf, type Stored, textOf } from '../../part/part.js';
import type { ConvertedPolicies } from '../document.js';
import { LabelReader } from './label.js';
import type { TableFacts } from './layout.js';
import type { OrgProviders } from './providers.js';
import { numberOf, type Source, type SourceOrg, secondsOf, wordOf } from './source.js';

const LOGIN: TableFacts = {
  table: 'login_policies',
  needs: [
    'aggregate_id',
    'instance_id',
    'allow_register',
    'allow_username_password',
    'allow_external_idps',
    'force_mfa',
    'second_factors',
    'multi_factors',
    'passwordless_type',
  ],
  may: [
    'force_mfa_local_only',
    'hide_password_reset',
    'ignore_unknown_usernames',
    'allow_domain_discovery',
    'disable_login_with_email',
    'disable_login_with_phone',
    'default_redirect_uri',
    'password_check_lifetime',
    'external_login_check_lifetime',
    'mfa_init_skip_lifetime',
    'second_factor_check_lifetime',
    'multi_factor_check_lifetime',
  ],
};
/** Policies of which a row is one object, with the names of our members. */
const COMPLEXITY: TableFacts = {
  table: 'password_complexity_policies',
  needs: ['id', 'instance_id', 'min_length', 'has_lowercase', 'has_uppercase', 'has_symbol', 'has_number'],
};
const AGE: TableFacts = {
  table: 'password_age_policies',
  needs: ['id', 'instance_id', 'expire_warn_days', 'max_age_days'],
};
const LOCKOUT: TableFacts = {
  table: 'lockout_policies',
  needs: ['id', 'instance_id', 'max_password_attempts'],
  may: ['max_otp_attempts', 'show_failure'],
};
const DOMAIN: TableFacts = {
  table: 'domain_policies',
  needs: ['id', 'instance_id', 'user_login_must_be_domain'],
  may: ['validate_org_domains', 'smtp_sender_address_matches_instance_domain'],
};
const PRIVACY: TableFacts = {
  table: 'privacy_policies',
  needs: ['id', 'instance_id', 'privacy_link', 'tos_link'],
  may: ['help_link', 'support_email', 'docs_link', 'custom_link', 'custom_link_text'],
};
const NOTIFICATION: TableFacts = { table: 'notification_policies', needs: ['id', 'instance_id', 'password_change'] };

const SECOND_FACTORS = { 1: 'otp', 2: 'u2f', 3: 'otp_email', 4: 'otp_sms', 5: 'recovery_codes' } as const;
const MULTI_FACTORS = { 1: 'u2f_with_verification' } as const;
/** A minimum beyond what every hash supports would shut people out. */
const MAX_PASSWORD_LENGTH = 72;

/**
 * The policies of an organization, as they are in force: its own, or those of the instance, which a document cannot
 * contain and which are others at the target.
 */
export class PolicyReader {
  private readonly label: LabelReader;
  private readonly ofInstance = new Map<string, Stored | undefined>();

  /** @param inherits whether policies of the instance are written to its organizations */
  constructor(
    private readonly source: Source,
    private readonly inherits: boolean,
  ) {
    this.label = new LabelReader(source, inherits);
  }

  async policiesOf(org: SourceOrg, providers: OrgProviders): Promise<ConvertedPolicies> {
    return {
      domainPolicy: this.kept(await this.row(DOMAIN, org), toDomain, () => [], org),
      lockoutPolicy: this.kept(await this.row(LOCKOUT, org), toLockout, lockoutViolations, org),
      passwordComplexityPolicy: this.kept(
        await this.row(COMPLEXITY, org),
        toComplexity,
        passwordComplexityViolations,
        org,
      ),
      passwordAgePolicy: this.kept(await this.row(AGE, org), toAge, passwordAgeViolations, org),
      privacyPolicy: this.kept(await this.row(PRIVACY, org), toPrivacy, privacyViolations, org),
      notificationPolicy: this.kept(await this.row(NOTIFICATION, org), toNotification, () => [], org),
      loginPolicy: this.kept(
        await this.row(LOGIN, org, 'aggregate_id'),
        (row) => this.toLogin(row, org, providers),
        ({ defaultRedirectUri }) => loginViolations({ defaultRedirectUri: defaultRedirectUri ?? '' }),
        org,
      ),
      labelPolicy: await this.label.of(org),
    };
  }

  private kept<Policy>(
    row: Stored | undefined,
    convert: (row: Stored) => Policy,
    violationsOf: (policy: Policy) => FieldViolation[],
    { name }: SourceOrg,
  ): Policy | undefined {
    if (!row) return undefined;
    const policy = convert(row);
    const [wrong] = violationsOf(policy);
    if (!wrong) return policy;
    this.source.report.lose(
      'Policies that are not possible here: left out, so that those of the instance hold',
      `${name} ${wrong.field}`,
    );
    return undefined;
  }

  private async row(facts: TableFacts, org: SourceOrg, idColumn = 'id'): Promise<Stored | undefined> {
    const own = await this.rowOf(facts, org.id, idColumn);
    if (own || !this.inherits) return own;
    if (!this.ofInstance.has(facts.table))
      this.ofInstance.set(facts.table, await this.rowOf(facts, this.source.instance.id, idColumn));
    return this.ofInstance.get(facts.table);
  }

  private async rowOf(facts: TableFacts, ownerId: string, idColumn: string): Promise<Stored | undefined> {
    const { database, instance } = this.source;
    const found = database.layout.findIfAny(facts);
    if (!found) return undefined;
    const [row] = await database.all(
      `SELECT ${found.columns('p')} FROM ${found.name} p WHERE p.instance_id = :instanceId AND p.${idColumn} = :ownerId`,
      { instanceId: instance.id, ownerId },
    );
    return row;
  }

  private toLogin(row: Stored, org: SourceOrg, providers: OrgProviders): NonNullable<ConvertedPolicies['loginPolicy']> {
    return {
      allowUsernamePassword: flagOf(row, 'allow_username_password'),
      allowRegister: flagOf(row, 'allow_register'),
      allowExternalIdp: flagOf(row, 'allow_external_idps'),
      forceMfa: flagOf(row, 'force_mfa'),
      forceMfaLocalOnly: flagOf(row, 'force_mfa_local_only'),
      passwordlessType: numberOf(row['passwordless_type']) === 1 ? 'allowed' : 'not_allowed',
      hidePasswordReset: flagOf(row, 'hide_password_reset'),
      ignoreUnknownUsernames: flagOf(row, 'ignore_unknown_usernames'),
      allowDomainDiscovery: flagOf(row, 'allow_domain_discovery'),
      disableLoginWithEmail: flagOf(row, 'disable_login_with_email'),
      disableLoginWithPhone: flagOf(row, 'disable_login_with_phone'),
      defaultRedirectUri: textOf(row, 'default_redirect_uri'),
      passwordCheckLifetime: lifetimeOf(row['password_check_lifetime']),
      externalLoginCheckLifetime: lifetimeOf(row['external_login_check_lifetime']),
      mfaInitSkipLifetime: lifetimeOf(row['mfa_init_skip_lifetime']),
      secondFactorCheckLifetime: lifetimeOf(row['second_factor_check_lifetime']),
      multiFactorCheckLifetime: lifetimeOf(row['multi_factor_check_lifetime']),
      secondFactors: this.factorsOf(row['second_factors'], SECOND_FACTORS, org),
      multiFactors: this.factorsOf(row['multi_factors'], MULTI_FACTORS, org),
      idps: providers.offered.map((idpId) => ({ idpId })),
    };
  }

  private factorsOf<Word extends string>(
    value: unknown,
    words: Readonly<Record<number, Word>>,
    { name }: SourceOrg,
  ): Word[] {
    const numbers: unknown[] = Array.isArray(value) ? value : [];
    const found = numbers.flatMap((number) => {
      const word = wordOf(words, number);
      if (word === undefined)
        this.source.report.lose('Kinds of factors without a counterpart', `${name} ${String(number)}`);
      return word === undefined ? [] : [word];
    });
    return [...new Set(found)];
  }
}

function lifetimeOf(value: unknown): number | undefined {
  return value === null || value === undefined ? undefined : secondsOf(value);
}

function toDomain(row: Stored): NonNullable<ConvertedPolicies['domainPolicy']> {
  return {
    userLoginMustBeDomain: flagOf(row, 'user_login_must_be_domain'),
    validateOrgDomains: flagOf(row, 'validate_org_domains'),
    smtpSenderAddressMatchesInstanceDomain: flagOf(row, 'smtp_sender_address_matches_instance_domain'),
  };
}

function toLockout(row: Stored): Record<'maxPasswordAttempts' | 'maxOtpAttempts', number> {
  return {
    maxPasswordAttempts: numberOf(row['max_password_attempts']),
    maxOtpAttempts: numberOf(row['max_otp_attempts']),
  };
}

function toComplexity(
  row: Stored,
): { readonly minLength: number } & Record<'hasLowercase' | 'hasUppercase' | 'hasNumber' | 'hasSymbol', boolean> {
  return {
    minLength: Math.max(1, Math.min(numberOf(row['min_length']), MAX_PASSWORD_LENGTH)),
    hasLowercase: flagOf(row, 'has_lowercase'),
    hasUppercase: flagOf(row, 'has_uppercase'),
    hasNumber: flagOf(row, 'has_number'),
    hasSymbol: flagOf(row, 'has_symbol'),
  };
}

function toAge(row: Stored): Record<'maxAgeDays' | 'expireWarnDays', number> {
  return { maxAgeDays: numberOf(row['max_age_days']), expireWarnDays: numberOf(row['expire_warn_days']) };
}

function toPrivacy(
  row: Stored,
): Record<
  'tosLink' | 'privacyLink' | 'helpLink' | 'supportEmail' | 'docsLink' | 'customLink' | 'customLinkText',
  string
> {
  return {
    tosLink: textOf(row, 'tos_link'),
    privacyLink: textOf(row, 'privacy_link'),
    helpLink: textOf(row, 'help_link'),
    supportEmail: textOf(row, 'support_email'),
    docsLink: textOf(row, 'docs_link'),
    customLink: textOf(row, 'custom_link'),
    customLinkText: textOf(row, 'custom_link_text'),
  };
}

function toNotification(row: Stored): NonNullable<ConvertedPolicies['notificationPolicy']> {
  return { passwordChange: flagOf(row, 'password_change') };
}
