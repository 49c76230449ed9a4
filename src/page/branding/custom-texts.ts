import type { CustomLoginTexts } from '../../text/text.entity.js';
import { type LoginLanguage, type PageTexts, textsFor } from '../catalogue/catalogue.js';

/**
 * The texts of pages that custom texts replace. Custom texts have the names of the administrative API, by screen; some
 * of those screens do not exist here, and some of our texts cannot be changed.
 */
export const PLACES: ReadonlyArray<readonly [custom: string, page: string]> = [
  ['selectAccountText.title', 'accounts.title'],
  ['selectAccountText.description', 'accounts.list'],
  ['selectAccountText.otherUser', 'account.other'],
  ['selectAccountText.sessionStateActive', 'account.signedIn'],
  ['selectAccountText.sessionStateInactive', 'account.signedOut'],
  ['loginText.title', 'loginName.title'],
  ['loginText.loginNameLabel', 'loginName.label'],
  ['loginText.loginNamePlaceholder', 'loginName.hint'],
  ['loginText.registerButtonText', 'loginName.register'],
  ['loginText.nextButtonText', 'loginName.submit'],
  ['passwordText.title', 'password.title'],
  ['passwordText.passwordLabel', 'password.label'],
  ['passwordText.resetLinkText', 'password.forgot'],
  ['passwordText.nextButtonText', 'password.submit'],
  ['passwordText.hasUppercase', 'passwordRule.uppercase'],
  ['passwordText.hasLowercase', 'passwordRule.lowercase'],
  ['passwordText.hasNumber', 'passwordRule.number'],
  ['passwordText.hasSymbol', 'passwordRule.symbol'],
  ['initPasswordText.title', 'passwordNew.title'],
  ['initPasswordText.description', 'passwordNew.what'],
  ['initPasswordText.newPasswordLabel', 'passwordNew.password'],
  ['initPasswordText.newPasswordConfirmLabel', 'passwordNew.passwordRepeat'],
  ['initPasswordText.nextButtonText', 'passwordNew.submit'],
  ['initPasswordDoneText.title', 'passwordDone.title'],
  ['initPasswordDoneText.description', 'passwordDone.what'],
  ['passwordResetDoneText.description', 'passwordNew.sent'],
  ['emailVerificationText.title', 'verifyEmail.title'],
  ['emailVerificationText.description', 'verifyEmail.what'],
  ['emailVerificationText.nextButtonText', 'verifyEmail.submit'],
  ['emailVerificationDoneText.title', 'emailVerified.title'],
  ['emailVerificationDoneText.description', 'emailVerified.what'],
  ['initializeUserText.title', 'setUp.title'],
  ['initializeUserText.description', 'setUp.what'],
  ['initializeUserText.codeLabel', 'code.label'],
  ['initializeUserText.newPasswordLabel', 'setUp.password'],
  ['initializeUserText.newPasswordConfirmLabel', 'setUp.passwordRepeat'],
  ['initializeUserText.resendButtonText', 'code.resend'],
  ['initializeUserText.nextButtonText', 'setUp.submit'],
  ['initializeDoneText.title', 'setUpDone.title'],
  ['initializeDoneText.description', 'setUpDone.what'],
  ['passwordChangeText.title', 'passwordChange.title'],
  ['passwordChangeText.description', 'passwordChange.required'],
  ['passwordChangeText.expiredDescription', 'passwordChange.expired'],
  ['passwordChangeText.oldPasswordLabel', 'passwordChange.oldPassword'],
  ['passwordChangeText.newPasswordLabel', 'passwordChange.newPassword'],
  ['passwordChangeText.newPasswordConfirmLabel', 'passwordChange.newPasswordRepeat'],
  ['passwordChangeText.nextButtonText', 'passwordChange.submit'],
  ['registrationUserText.title', 'register.title'],
  ['registrationUserText.firstnameLabel', 'register.firstName'],
  ['registrationUserText.lastnameLabel', 'register.lastName'],
  ['registrationUserText.emailLabel', 'register.email'],
  ['registrationUserText.usernameLabel', 'register.userName'],
  ['registrationUserText.passwordLabel', 'register.password'],
  ['registrationUserText.passwordConfirmLabel', 'register.passwordRepeat'],
  ['registrationUserText.nextButtonText', 'register.submit'],
  ['registrationUserText.tosLinkText', 'register.tos'],
  ['registrationUserText.privacyLinkText', 'register.privacy'],
  ['initMfaPromptText.title', 'factorOffer.title'],
  ['initMfaPromptText.description', 'factorOffer.what'],
  ['initMfaPromptText.otpOption', 'factorOffer.otp'],
  ['initMfaPromptText.skipButtonText', 'factorOffer.skip'],
  ['initMfaOtpText.title', 'totpSetUp.title'],
  ['initMfaOtpText.descriptionOtp', 'totpSetUp.scan'],
  ['initMfaOtpText.secretLabel', 'totpSetUp.secret'],
  ['initMfaOtpText.codeLabel', 'totpSetUp.label'],
  ['initMfaOtpText.nextButtonText', 'totpSetUp.submit'],
  ['verifyMfaOtpText.title', 'secondFactor.title'],
  ['verifyMfaOtpText.description', 'secondFactor.where.otp'],
  ['verifyMfaOtpText.codeLabel', 'secondFactor.label.otp'],
  ['verifyMfaOtpText.nextButtonText', 'secondFactor.submit'],
  ['initMfaPromptText.u2fOption', 'factorOffer.u2f'],
  ['initMfaU2fText.title', 'keySetUp.u2f'],
  ['verifyMfaU2fText.title', 'securityKey.title'],
  ['verifyMfaU2fText.description', 'securityKey.what'],
  ['passwordlessText.title', 'passkey.title'],
  ['passwordlessText.description', 'passkey.what'],
  ['passwordlessText.loginWithPwButtonText', 'passkey.password'],
  ['passwordlessText.notSupported', 'passkey.unsupported'],
  ['passwordlessText.errorRetry', 'passkey.cancelled'],
  ['passwordlessPromptText.title', 'passkeyOffer.title'],
  ['passwordlessPromptText.description', 'passkeyOffer.what'],
  ['passwordlessPromptText.passwordlessButtonText', 'passkeyOffer.submit'],
  ['passwordlessRegistrationText.title', 'passkeyLink.title'],
  ['passwordlessRegistrationText.tokenNameLabel', 'keyName.label'],
  ['passwordlessRegistrationText.notSupported', 'keySetUp.unsupported'],
  ['passwordlessRegistrationText.errorRetry', 'keySetUp.cancelled'],
  ['passwordlessRegistrationDoneText.title', 'passkeyDone.title'],
  ['passwordlessRegistrationDoneText.description', 'passkeyDone.what'],
  ['externalUserNotFoundText.title', 'externalUser.title'],
  ['externalUserNotFoundText.linkButtonText', 'externalUser.link'],
  ['linkingUserPromptText.title', 'linkAccount.title'],
  ['linkingUserPromptText.description', 'linkAccount.what'],
  ['linkingUserPromptText.linkButtonText', 'linkAccount.submit'],
  ['successLoginText.title', 'success.title'],
  ['successLoginText.redirectedDescription', 'success.what'],
  ['logoutText.title', 'signedOut.title'],
  ['logoutText.description', 'signedOut.what'],
  ['footerText.tos', 'frame.tos'],
  ['footerText.privacyPolicy', 'frame.privacy'],
  ['footerText.help', 'frame.help'],
  ['footerText.supportEmail', 'frame.support'],
];

/** The texts of the pages with the custom ones applied. */
export function withCustomTexts(own: CustomLoginTexts, language: LoginLanguage): PageTexts {
  const built = textsFor(language);
  const written = PLACES.flatMap(([custom, page]) => {
    const text = at(own, custom);
    return text === undefined ? [] : [[page, text] as const];
  });
  if (written.length === 0) return built;
  const texts = structuredClone(built);
  for (const [page, text] of written) put(texts, page.split('.'), text);
  return texts;
}

type Tree = { [key: string]: Tree | string };

function put(tree: Tree, [key = '', ...rest]: readonly string[], text: string): void {
  if (rest.length === 0) tree[key] = text;
  else put(tree[key] as Tree, rest, text);
}

function at(texts: CustomLoginTexts, place: string): string | undefined {
  const [screen = '', field = ''] = place.split('.');
  return (texts as Readonly<Record<string, Readonly<Record<string, string>>>>)[screen]?.[field];
}
