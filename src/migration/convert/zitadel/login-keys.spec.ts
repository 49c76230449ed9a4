import { describe, expect, it } from '@jest/globals';
import { textOfKey } from './login-keys.js';

describe('A key of a text is that text of a page here', () => {
  it.each([
    ['Login.Title', 'loginText', 'title'],
    ['Login.UsernamePlaceHolder', 'loginText', 'userNamePlaceholder'],
    ['Login.MustBeMemberOfOrg', 'loginText', 'userMustBeMemberOfOrg'],
    ['SelectAccount.TitleLinking', 'selectAccountText', 'titleLinkingProcess'],
    ['SelectAccount.SessionState1', 'selectAccountText', 'sessionStateInactive'],
    ['Password.HasUppercase', 'passwordText', 'hasUppercase'],
    ['InitPassword.NewPasswordConfirmLabel', 'initPasswordText', 'newPasswordConfirmLabel'],
    ['InitUser.NewPasswordConfirm', 'initializeUserText', 'newPasswordConfirmLabel'],
    ['InitUserDone.Title', 'initializeDoneText', 'title'],
    ['InitMFAPrompt.Provider0', 'initMfaPromptText', 'otpOption'],
    ['InitMFAOTP.OTPDescription', 'initMfaOtpText', 'descriptionOtp'],
    ['InitMFAU2F.RegisterTokenButtonText', 'initMfaU2fText', 'registerTokenButtonText'],
    ['MFAProvider.ChooseOther', 'mfaProvidersText', 'chooseOther'],
    ['MFAProvider.Provider1', 'mfaProvidersText', 'u2f'],
    ['VerifyMFAU2F.ValidateTokenButtonText', 'verifyMfaU2fText', 'validateTokenText'],
    ['Passwordless.ValidateTokenButtonText', 'passwordlessText', 'validateTokenButtonText'],
    ['PasswordlessRegistrationDone.DescriptionClose', 'passwordlessRegistrationDoneText', 'descriptionClose'],
    ['RegisterOption.RegisterUsernamePasswordButtonText', 'registrationOptionText', 'userNameButtonText'],
    ['RegistrationUser.DescriptionOrgRegister', 'registrationUserText', 'descriptionOrgRegister'],
    ['RegistrationOrg.OrgNameLabel', 'registrationOrgText', 'orgnameLabel'],
    ['LinkingUsersDone.Title', 'linkingUserDoneText', 'title'],
    ['ExternalNotFound.AutoRegisterButtonText', 'externalUserNotFoundText', 'autoRegisterButtonText'],
    ['ExternalRegistrationUserOverview.NicknameLabel', 'externalRegistrationUserOverviewText', 'nicknameLabel'],
    ['LoginSuccess.AutoRedirectDescription', 'successLoginText', 'autoRedirectDescription'],
    ['LogoutDone.LoginButtonText', 'logoutText', 'loginButtonText'],
    ['Footer.SupportEmail', 'footerText', 'supportEmail'],
  ])('%s', (key, screen, member) => {
    expect(textOfKey(key)).toEqual({ screen, member });
  });

  it.each(['Login.Unknown', 'Unknown.Title', 'Title', ''])('or none: %s', (key) => {
    expect(textOfKey(key)).toBeUndefined();
  });
});
