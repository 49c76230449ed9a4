/** A place on this service, never on another: `https:…` and `javascript:…` do not fit the type. */
export type OwnPath = `/${string}`;

/** Where the pages stand. Applications, manuals and bookmarks know these paths: they do not change. */
export const paths = {
  hub: '/ui/login/login',
  loginName: '/ui/login/loginname',
  password: '/ui/login/password',
  accounts: '/ui/login/userselection',
  register: '/ui/login/register',
  passwordChange: '/ui/login/password/change',
  passwordInit: '/ui/login/password/init',
  userInit: '/ui/login/user/init',
  mailVerification: '/ui/login/mail/verification',
  factorOffer: '/ui/login/mfa/prompt',
  totpSetUp: '/ui/login/mfa/init/verify',
  emailCodeSetUp: '/ui/login/mfa/init/email/verify',
  recoveryCodes: '/ui/login/mfa/init/recovery',
  totp: '/ui/login/mfa/otp/verify',
  emailCode: '/ui/login/mfa/email/verify',
  recoveryCode: '/ui/login/mfa/recovery/verify',
  consent: '/ui/login/consent',
  signOut: '/ui/login/logout',
  endSession: '/oidc/v1/end_session',
  signedOut: '/ui/login/logout/done',
  stylesheet: '/ui/login/assets/login.css',
  icon: '/ui/login/assets/icon.svg',
} as const satisfies Record<string, OwnPath>;
