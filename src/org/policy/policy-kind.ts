import type { Recorded } from '../../foundation/database/recorded.js';
import type { FieldViolation } from '../../foundation/error/domain-error.js';
import { DomainPolicy } from './domain-policy.entity.js';
import { LabelPolicy, LabelPreview } from './label-policy.entity.js';
import { LockoutPolicy } from './lockout-policy.entity.js';
import { LoginPolicy } from './login-policy.entity.js';
import { NotificationPolicy } from './notification-policy.entity.js';
import { PasswordAgePolicy } from './password-age-policy.entity.js';
import { PasswordComplexityPolicy } from './password-complexity-policy.entity.js';
import {
  labelViolations,
  lockoutViolations,
  loginViolations,
  passwordAgeViolations,
  passwordComplexityViolations,
  privacyViolations,
  selfServiceViolations,
} from './policy-rules.js';
import { PrivacyPolicy } from './privacy-policy.entity.js';
import { SelfServicePolicy } from './self-service-policy.entity.js';

export interface Policies {
  readonly login: LoginPolicy;
  readonly lockout: LockoutPolicy;
  readonly passwordComplexity: PasswordComplexityPolicy;
  readonly passwordAge: PasswordAgePolicy;
  readonly privacy: PrivacyPolicy;
  readonly notification: NotificationPolicy;
  readonly selfService: SelfServicePolicy;
  readonly domain: DomainPolicy;
  readonly label: LabelPolicy;
  readonly labelPreview: LabelPreview;
}

export type PolicyKind = keyof Policies;

/** The settings of a policy, without its owner and history. */
export type Settings<Kind extends PolicyKind> = Omit<Policies[Kind], keyof Recorded | 'ownerId'>;

interface KindFacts<Kind extends PolicyKind> {
  readonly entity: new () => Policies[Kind];
  /** The name in the types of events: `policy.password.complexity.added`. */
  readonly word: string;
  /** For display. */
  readonly name: string;
  readonly violations?: (settings: Partial<Settings<Kind>>) => FieldViolation[];
  /** The settings of a new instance, where they differ from the defaults of the table. */
  readonly atFirst?: Partial<Settings<Kind>>;
}

/**
 * NIST SP 800-63B-4, section 3.1.1.2: 15 characters where a password is all that is asked for, 8 beside a second
 * factor, and no rules about kinds of characters.
 */
const FIRST_PASSWORD_RULES = {
  minLength: 8,
  minLengthWithoutSecondFactor: 15,
  hasUppercase: false,
  hasLowercase: false,
  hasNumber: false,
  hasSymbol: false,
} as const;

export const KINDS: { readonly [Kind in PolicyKind]: KindFacts<Kind> } = {
  login: { entity: LoginPolicy, word: 'login', name: 'login', violations: loginViolations },
  lockout: { entity: LockoutPolicy, word: 'lockout', name: 'lockout', violations: lockoutViolations },
  passwordComplexity: {
    entity: PasswordComplexityPolicy,
    word: 'password.complexity',
    name: 'password complexity',
    violations: passwordComplexityViolations,
    atFirst: FIRST_PASSWORD_RULES,
  },
  passwordAge: {
    entity: PasswordAgePolicy,
    word: 'password.age',
    name: 'password age',
    violations: passwordAgeViolations,
  },
  privacy: { entity: PrivacyPolicy, word: 'privacy', name: 'privacy', violations: privacyViolations },
  notification: { entity: NotificationPolicy, word: 'notification', name: 'notification' },
  selfService: {
    entity: SelfServicePolicy,
    word: 'self_service',
    name: 'self-service',
    violations: selfServiceViolations,
  },
  domain: { entity: DomainPolicy, word: 'domain', name: 'domain' },
  // A label is one policy in two states: additions and changes affect the preview (`LabelService`).
  label: { entity: LabelPolicy, word: 'label', name: 'label', violations: labelViolations },
  labelPreview: { entity: LabelPreview, word: 'label', name: 'label', violations: labelViolations },
};

export const ALL_KINDS = Object.keys(KINDS) as readonly PolicyKind[];
