/*
 * The policies of the instance and of organizations, with requests and the resulting responses.
 */

export interface Kind {
  readonly name: string;
  readonly path: string;
  /** Where the instance's is changed, if elsewhere. */
  readonly put?: string;
  readonly event: string;
  readonly defaults: Record<string, unknown>;
  readonly sent: Record<string, unknown>;
  readonly shown: Record<string, unknown>;
  readonly sentLater: Record<string, unknown>;
  readonly shownLater: Record<string, unknown>;
  readonly broken: ReadonlyArray<readonly [Record<string, unknown>, string]>;
}

export const KINDS: readonly Kind[] = [
  {
    name: 'login',
    path: 'login',
    event: 'policy.login',
    defaults: {
      allowUsernamePassword: true,
      allowRegister: true,
      allowExternalIdp: true,
      forceMfa: false,
      forceMfaLocalOnly: false,
      passwordlessType: 'PASSWORDLESS_TYPE_ALLOWED',
      hidePasswordReset: false,
      ignoreUnknownUsernames: true,
      allowDomainDiscovery: true,
      disableLoginWithEmail: false,
      disableLoginWithPhone: false,
      defaultRedirectUri: '',
      passwordCheckLifetime: '864000s',
      externalLoginCheckLifetime: '864000s',
      mfaInitSkipLifetime: '2592000s',
      secondFactorCheckLifetime: '64800s',
      multiFactorCheckLifetime: '43200s',
      secondFactors: ['SECOND_FACTOR_TYPE_OTP', 'SECOND_FACTOR_TYPE_U2F'],
      multiFactors: ['MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION'],
    },
    sent: {
      allowUsernamePassword: true,
      passwordlessType: 'PASSWORDLESS_TYPE_NOT_ALLOWED',
      defaultRedirectUri: 'https://portal.test/',
      passwordCheckLifetime: '3600s',
      mfaInitSkipLifetime: '0s',
      forceMfaLocalOnly: true,
    },
    shown: {
      allowUsernamePassword: true,
      allowRegister: false,
      passwordlessType: 'PASSWORDLESS_TYPE_NOT_ALLOWED',
      defaultRedirectUri: 'https://portal.test/',
      passwordCheckLifetime: '3600s',
      mfaInitSkipLifetime: '0s',
      secondFactorCheckLifetime: '64800s',
      forceMfaLocalOnly: true,
    },
    sentLater: { allow_register: true, passwordless_type: 1 },
    shownLater: {
      allowUsernamePassword: false,
      allowRegister: true,
      passwordlessType: 'PASSWORDLESS_TYPE_ALLOWED',
      passwordCheckLifetime: '3600s',
    },
    broken: [
      [{ defaultRedirectUri: 'javascript:alert(1)' }, 'defaultRedirectUri'],
      [{ defaultRedirectUri: 'https://user:pw@evil.test' }, 'defaultRedirectUri'],
      [{ defaultRedirectUri: `https://a.test/${'x'.repeat(2_000)}` }, 'defaultRedirectUri'],
      [{ passwordCheckLifetime: '1.5s' }, 'passwordCheckLifetime'],
      [{ passwordCheckLifetime: '400000000s' }, 'passwordCheckLifetime'],
      [{ passwordlessType: 'PASSWORDLESS_TYPE_WITH_CERT' }, 'passwordlessType'],
      [{ allowRegister: 'true' }, 'allowRegister'],
    ],
  },
  {
    name: 'lockout',
    path: 'lockout',
    put: 'password/lockout',
    event: 'policy.lockout',
    defaults: { maxPasswordAttempts: '0', maxOtpAttempts: '0' },
    sent: { maxPasswordAttempts: 5, maxOtpAttempts: 3 },
    shown: { maxPasswordAttempts: '5', maxOtpAttempts: '3' },
    sentLater: { max_password_attempts: '7' },
    shownLater: { maxPasswordAttempts: '7', maxOtpAttempts: '0' },
    broken: [
      [{ maxPasswordAttempts: -1 }, 'maxPasswordAttempts'],
      [{ maxPasswordAttempts: 1_001 }, 'maxPasswordAttempts'],
      [{ maxOtpAttempts: 1.5 }, 'maxOtpAttempts'],
    ],
  },
  {
    name: 'password complexity',
    path: 'password/complexity',
    event: 'policy.password.complexity',
    defaults: {
      minLength: '8',
      minLengthWithoutSecondFactor: 15,
      hasUppercase: false,
      hasLowercase: false,
      hasNumber: false,
      hasSymbol: false,
    },
    sent: { minLength: '12', hasUppercase: true },
    // Who says only one length means it for everybody.
    shown: {
      minLength: '12',
      minLengthWithoutSecondFactor: 12,
      hasUppercase: true,
      hasLowercase: false,
      hasNumber: false,
      hasSymbol: false,
    },
    sentLater: { minLength: 10 },
    shownLater: { minLength: '10', minLengthWithoutSecondFactor: 10, hasUppercase: false },
    broken: [
      [{ minLength: '0' }, 'minLength'],
      [{}, 'minLength'],
      [{ minLength: 73 }, 'minLength'],
      [{ minLength: 10, minLengthWithoutSecondFactor: 73 }, 'minLengthWithoutSecondFactor'],
      [{ minLength: '18446744073709551615' }, 'minLength'],
    ],
  },
  {
    name: 'password age',
    path: 'password/age',
    event: 'policy.password.age',
    defaults: { maxAgeDays: '0', expireWarnDays: '0' },
    sent: { maxAgeDays: 365, expireWarnDays: 10 },
    shown: { maxAgeDays: '365', expireWarnDays: '10' },
    sentLater: { maxAgeDays: 30 },
    shownLater: { maxAgeDays: '30', expireWarnDays: '0' },
    broken: [
      [{ maxAgeDays: 36_501 }, 'maxAgeDays'],
      [{ expireWarnDays: '-1' }, 'expireWarnDays'],
    ],
  },
  {
    name: 'privacy',
    path: 'privacy',
    event: 'policy.privacy',
    defaults: {
      tosLink: '',
      privacyLink: '',
      helpLink: '',
      supportEmail: '',
      docsLink: '',
      customLink: '',
      customLinkText: '',
    },
    sent: {
      tosLink: 'https://a.test/{{.Lang}}/terms',
      supportEmail: 'help@a.test',
      customLink: 'http://a.test',
      customLinkText: 'Näher 😀',
    },
    shown: {
      tosLink: 'https://a.test/{{.Lang}}/terms',
      supportEmail: 'help@a.test',
      customLink: 'http://a.test',
      customLinkText: 'Näher 😀',
    },
    sentLater: { privacyLink: 'https://a.test/privacy' },
    shownLater: { tosLink: '', privacyLink: 'https://a.test/privacy', customLinkText: '' },
    broken: [
      [{ tosLink: 'javascript:alert(1)' }, 'tosLink'],
      [{ privacyLink: '//evil.test' }, 'privacyLink'],
      [{ helpLink: 'not a url' }, 'helpLink'],
      [{ docsLink: 'https://a b' }, 'docsLink'],
      [{ customLink: 'file:///etc/passwd' }, 'customLink'],
      [{ supportEmail: 'help' }, 'supportEmail'],
      [{ customLinkText: 'x'.repeat(201) }, 'customLinkText'],
      [{ customLinkText: 'a\u0000b' }, 'customLinkText'],
    ],
  },
  {
    name: 'notification',
    path: 'notification',
    event: 'policy.notification',
    defaults: { passwordChange: true },
    sent: { passwordChange: false },
    shown: { passwordChange: false },
    sentLater: { passwordChange: true },
    shownLater: { passwordChange: true },
    broken: [[{ passwordChange: 1 }, 'passwordChange']],
  },
  {
    name: 'self-service',
    path: 'self_service',
    event: 'policy.self_service',
    defaults: {
      editProfile: true,
      changeEmail: true,
      changePhone: true,
      changePassword: true,
      manageFactors: true,
      linkProviders: true,
      downloadData: true,
      deleteAccount: false,
      accountDeletionGraceDays: 14,
    },
    sent: { editProfile: true, deleteAccount: true, accountDeletionGraceDays: 30 },
    shown: { editProfile: true, changeEmail: false, deleteAccount: true, accountDeletionGraceDays: 30 },
    sentLater: { changeEmail: true },
    shownLater: { editProfile: false, changeEmail: true, deleteAccount: false, accountDeletionGraceDays: 0 },
    broken: [
      [{ accountDeletionGraceDays: 366 }, 'accountDeletionGraceDays'],
      [{ deleteAccount: 1 }, 'deleteAccount'],
    ],
  },
];
