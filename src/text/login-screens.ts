import type { LoginScreen } from './login-catalogue/catalogue.js';

/** A screen as requests and documents know it: its field's number, its message's name, and of each text the number and the longest form. */
export interface ScreenFacts {
  readonly number: number;
  readonly message: string;
  readonly fields: Readonly<Record<string, readonly [number: number, maxCharacters: number]>>;
}

function screen(number: number, message: string, fields: ScreenFacts['fields']): ScreenFacts {
  return { number, message, fields };
}

/** Every screen of the catalogue; login-screens.spec.ts proves that their texts are those of the catalogue. */
export const LOGIN_SCREENS: Readonly<Record<LoginScreen, ScreenFacts>> = {
  selectAccountText: screen(2, 'SelectAccountScreenText', {
    title: [1, 200], description: [2, 500], titleLinkingProcess: [3, 200], descriptionLinkingProcess: [4, 500], otherUser: [5, 500],
    sessionStateActive: [6, 100], sessionStateInactive: [7, 100], userMustBeMemberOfOrg: [8, 500],
  }),
  loginText: screen(3, 'LoginScreenText', {
    title: [1, 200], description: [2, 500], titleLinkingProcess: [3, 200], descriptionLinkingProcess: [4, 500], userMustBeMemberOfOrg: [5, 500],
    loginNameLabel: [6, 200], registerButtonText: [7, 100], nextButtonText: [8, 100], externalUserDescription: [9, 500],
    userNamePlaceholder: [10, 200], loginNamePlaceholder: [11, 200],
  }),
  passwordText: screen(4, 'PasswordScreenText', {
    title: [1, 200], description: [2, 500], passwordLabel: [3, 200], resetLinkText: [4, 100], backButtonText: [5, 100], nextButtonText: [6, 100],
    minLength: [7, 100], hasUppercase: [8, 100], hasLowercase: [9, 100], hasNumber: [10, 100], hasSymbol: [11, 100], confirmation: [12, 100],
  }),
  usernameChangeText: screen(5, 'UsernameChangeScreenText', {
    title: [1, 200], description: [2, 500], usernameLabel: [3, 200], cancelButtonText: [4, 100], nextButtonText: [5, 100],
  }),
  usernameChangeDoneText: screen(6, 'UsernameChangeDoneScreenText', { title: [1, 200], description: [2, 500], nextButtonText: [3, 100] }),
  initPasswordText: screen(7, 'InitPasswordScreenText', {
    title: [1, 200], description: [2, 500], codeLabel: [3, 200], newPasswordLabel: [4, 200], newPasswordConfirmLabel: [5, 200],
    nextButtonText: [6, 100], resendButtonText: [7, 100],
  }),
  initPasswordDoneText: screen(8, 'InitPasswordDoneScreenText', {
    title: [1, 200], description: [2, 500], nextButtonText: [3, 100], cancelButtonText: [4, 100],
  }),
  emailVerificationText: screen(9, 'EmailVerificationScreenText', {
    title: [1, 200], description: [2, 500], codeLabel: [3, 200], nextButtonText: [4, 100], resendButtonText: [5, 100],
  }),
  emailVerificationDoneText: screen(10, 'EmailVerificationDoneScreenText', {
    title: [1, 200], description: [2, 500], nextButtonText: [3, 100], cancelButtonText: [4, 100], loginButtonText: [5, 100],
  }),
  initializeUserText: screen(11, 'InitializeUserScreenText', {
    title: [1, 200], description: [2, 500], codeLabel: [3, 200], newPasswordLabel: [4, 200], newPasswordConfirmLabel: [5, 200],
    resendButtonText: [6, 100], nextButtonText: [7, 100],
  }),
  initializeDoneText: screen(12, 'InitializeUserDoneScreenText', {
    title: [1, 200], description: [2, 500], cancelButtonText: [3, 100], nextButtonText: [4, 100],
  }),
  initMfaPromptText: screen(13, 'InitMFAPromptScreenText', {
    title: [1, 200], description: [2, 500], otpOption: [3, 200], u2fOption: [4, 200], skipButtonText: [5, 100], nextButtonText: [6, 100],
  }),
  initMfaOtpText: screen(14, 'InitMFAOTPScreenText', {
    title: [1, 200], description: [2, 500], descriptionOtp: [3, 500], secretLabel: [4, 200], codeLabel: [5, 200], nextButtonText: [6, 100],
    cancelButtonText: [7, 100],
  }),
  initMfaU2fText: screen(15, 'InitMFAU2FScreenText', {
    title: [1, 200], description: [2, 500], tokenNameLabel: [3, 200], notSupported: [4, 500], registerTokenButtonText: [5, 100],
    errorRetry: [6, 500],
  }),
  initMfaDoneText: screen(16, 'InitMFADoneScreenText', {
    title: [1, 200], description: [2, 500], cancelButtonText: [3, 100], nextButtonText: [4, 100],
  }),
  mfaProvidersText: screen(17, 'MFAProvidersText', { chooseOther: [1, 500], otp: [2, 200], u2f: [3, 200] }),
  verifyMfaOtpText: screen(18, 'VerifyMFAOTPScreenText', { title: [1, 200], description: [2, 500], codeLabel: [3, 200], nextButtonText: [4, 100] }),
  verifyMfaU2fText: screen(19, 'VerifyMFAU2FScreenText', {
    title: [1, 200], description: [2, 500], validateTokenText: [3, 500], notSupported: [4, 500], errorRetry: [5, 500],
  }),
  passwordlessText: screen(20, 'PasswordlessScreenText', {
    title: [1, 200], description: [2, 500], loginWithPwButtonText: [3, 100], validateTokenButtonText: [4, 200], notSupported: [5, 500],
    errorRetry: [6, 500],
  }),
  passwordChangeText: screen(21, 'PasswordChangeScreenText', {
    title: [1, 200], description: [2, 500], oldPasswordLabel: [3, 200], newPasswordLabel: [4, 200], newPasswordConfirmLabel: [5, 200],
    cancelButtonText: [6, 100], nextButtonText: [7, 100], expiredDescription: [8, 500],
  }),
  passwordChangeDoneText: screen(22, 'PasswordChangeDoneScreenText', { title: [1, 200], description: [2, 500], nextButtonText: [3, 100] }),
  passwordResetDoneText: screen(23, 'PasswordResetDoneScreenText', { title: [1, 200], description: [2, 500], nextButtonText: [3, 100] }),
  registrationOptionText: screen(24, 'RegistrationOptionScreenText', {
    title: [1, 200], description: [2, 500], userNameButtonText: [3, 200], externalLoginDescription: [4, 500], loginButtonText: [5, 200],
  }),
  registrationUserText: screen(25, 'RegistrationUserScreenText', {
    title: [1, 200], description: [2, 500], descriptionOrgRegister: [3, 500], firstnameLabel: [4, 200], lastnameLabel: [5, 200],
    emailLabel: [6, 200], usernameLabel: [7, 200], languageLabel: [8, 200], genderLabel: [9, 200], passwordLabel: [10, 200],
    passwordConfirmLabel: [11, 200], tosAndPrivacyLabel: [12, 200], tosConfirm: [13, 200], tosLinkText: [15, 200], privacyConfirm: [16, 200],
    privacyLinkText: [18, 200], nextButtonText: [20, 200], backButtonText: [21, 200],
  }),
  registrationOrgText: screen(26, 'RegistrationOrgScreenText', {
    title: [1, 200], description: [2, 500], orgnameLabel: [3, 200], firstnameLabel: [4, 200], lastnameLabel: [5, 200], usernameLabel: [6, 200],
    emailLabel: [7, 200], passwordLabel: [9, 200], passwordConfirmLabel: [10, 200], tosAndPrivacyLabel: [11, 200], tosConfirm: [12, 200],
    tosLinkText: [14, 200], privacyConfirm: [15, 200], privacyLinkText: [17, 200], saveButtonText: [19, 200],
  }),
  linkingUserDoneText: screen(27, 'LinkingUserDoneScreenText', {
    title: [1, 200], description: [2, 500], cancelButtonText: [3, 100], nextButtonText: [4, 100],
  }),
  externalUserNotFoundText: screen(28, 'ExternalUserNotFoundScreenText', {
    title: [1, 200], description: [2, 500], linkButtonText: [3, 100], autoRegisterButtonText: [4, 100], tosAndPrivacyLabel: [5, 200],
    tosConfirm: [6, 200], tosLinkText: [7, 200], privacyLinkText: [8, 200], privacyConfirm: [10, 200],
  }),
  successLoginText: screen(29, 'SuccessLoginScreenText', {
    title: [1, 200], autoRedirectDescription: [2, 500], redirectedDescription: [3, 100], nextButtonText: [4, 200],
  }),
  logoutText: screen(30, 'LogoutDoneScreenText', { title: [1, 200], description: [2, 500], loginButtonText: [3, 200] }),
  footerText: screen(31, 'FooterText', { tos: [1, 200], privacyPolicy: [3, 200], help: [5, 200], supportEmail: [7, 200] }),
  passwordlessPromptText: screen(32, 'PasswordlessPromptScreenText', {
    title: [1, 200], description: [2, 500], descriptionInit: [3, 500], passwordlessButtonText: [4, 100], nextButtonText: [5, 100],
    skipButtonText: [6, 100],
  }),
  passwordlessRegistrationText: screen(33, 'PasswordlessRegistrationScreenText', {
    title: [1, 200], description: [2, 500], tokenNameLabel: [3, 200], notSupported: [4, 500], registerTokenButtonText: [5, 100],
    errorRetry: [6, 500],
  }),
  passwordlessRegistrationDoneText: screen(34, 'PasswordlessRegistrationDoneScreenText', {
    title: [1, 200], description: [2, 500], nextButtonText: [3, 100], cancelButtonText: [4, 100], descriptionClose: [5, 100],
  }),
  externalRegistrationUserOverviewText: screen(35, 'ExternalRegistrationUserOverviewScreenText', {
    title: [1, 200], description: [2, 500], emailLabel: [3, 200], usernameLabel: [4, 200], firstnameLabel: [5, 200], lastnameLabel: [6, 200],
    nicknameLabel: [7, 200], languageLabel: [8, 200], phoneLabel: [9, 200], tosAndPrivacyLabel: [10, 200], tosConfirm: [11, 200],
    tosLinkText: [12, 200], privacyLinkText: [14, 200], backButtonText: [15, 200], nextButtonText: [16, 200], privacyConfirm: [17, 200],
  }),
  linkingUserPromptText: screen(36, 'LinkingUserPromptScreenText', {
    title: [1, 200], description: [2, 500], linkButtonText: [3, 100], otherButtonText: [4, 100],
  }),
};
