import type { LoginScreen } from '../../../text/login-catalogue/catalogue.js';
import { LOGIN_SCREENS } from '../../../text/login-screens.js';

/** The page of a key by its first word. */
const SCREENS: Readonly<Record<string, LoginScreen>> = {
  Login: 'loginText',
  SelectAccount: 'selectAccountText',
  Password: 'passwordText',
  UsernameChange: 'usernameChangeText',
  UsernameChangeDone: 'usernameChangeDoneText',
  InitPassword: 'initPasswordText',
  InitPasswordDone: 'initPasswordDoneText',
  EmailVerification: 'emailVerificationText',
  EmailVerificationDone: 'emailVerificationDoneText',
  InitUser: 'initializeUserText',
  InitUserDone: 'initializeDoneText',
  InitMFAPrompt: 'initMfaPromptText',
  InitMFAOTP: 'initMfaOtpText',
  InitMFAU2F: 'initMfaU2fText',
  InitMFADone: 'initMfaDoneText',
  MFAProvider: 'mfaProvidersText',
  VerifyMFAOTP: 'verifyMfaOtpText',
  VerifyMFAU2F: 'verifyMfaU2fText',
  Passwordless: 'passwordlessText',
  PasswordlessPrompt: 'passwordlessPromptText',
  PasswordlessRegistration: 'passwordlessRegistrationText',
  PasswordlessRegistrationDone: 'passwordlessRegistrationDoneText',
  PasswordChange: 'passwordChangeText',
  PasswordChangeDone: 'passwordChangeDoneText',
  PasswordResetDone: 'passwordResetDoneText',
  RegisterOption: 'registrationOptionText',
  RegistrationUser: 'registrationUserText',
  ExternalRegistrationUserOverview: 'externalRegistrationUserOverviewText',
  RegistrationOrg: 'registrationOrgText',
  LinkingUsersDone: 'linkingUserDoneText',
  LinkingUserPrompt: 'linkingUserPromptText',
  ExternalNotFound: 'externalUserNotFoundText',
  LoginSuccess: 'successLoginText',
  LogoutDone: 'logoutText',
  Footer: 'footerText',
};
/** Texts whose names differ by more than their first letter. */
const MEMBERS: Readonly<Record<string, string>> = {
  TitleLinking: 'titleLinkingProcess',
  DescriptionLinking: 'descriptionLinkingProcess',
  UsernamePlaceHolder: 'userNamePlaceholder',
  LoginnamePlaceHolder: 'loginNamePlaceholder',
  MustBeMemberOfOrg: 'userMustBeMemberOfOrg',
  SessionState0: 'sessionStateActive',
  SessionState1: 'sessionStateInactive',
  NewPasswordConfirm: 'newPasswordConfirmLabel',
  OTPDescription: 'descriptionOtp',
  ChooseOther: 'chooseOther',
  RegisterUsernamePasswordButtonText: 'userNameButtonText',
  OrgNameLabel: 'orgnameLabel',
};
/** Texts that several pages there have under different names, and one page here. */
const MEMBERS_OF: Readonly<Record<string, string>> = {
  'InitMFAPrompt.Provider0': 'otpOption',
  'InitMFAPrompt.Provider1': 'u2fOption',
  'MFAProvider.Provider0': 'otp',
  'MFAProvider.Provider1': 'u2f',
  'VerifyMFAU2F.ValidateTokenButtonText': 'validateTokenText',
};

/** The page and the text that a key such as `SelectAccount.Title` means; undefined for one that does not exist here. */
export function textOfKey(key: string): { readonly screen: LoginScreen; readonly member: string } | undefined {
  const [page = '', name = ''] = key.split('.', 2);
  const screen = SCREENS[page];
  const member = MEMBERS_OF[key] ?? MEMBERS[name] ?? `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  return screen !== undefined && Object.hasOwn(LOGIN_SCREENS[screen].fields, member) ? { screen, member } : undefined;
}
