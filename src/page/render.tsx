import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { AccountActivityPage, type AccountActivityProps } from './account/account-activity.page.js';
import type { AccountApplicationsProps } from './account/account-applications.page.js';
import { AccountApplicationsPage } from './account/account-applications.page.js';
import { AccountClosedPage, type AccountClosedProps } from './account/account-closed.page.js';
import type { AccountContactProps } from './account/account-contact.page.js';
import { AccountContactPage } from './account/account-contact.page.js';
import type { AccountDataProps } from './account/account-data.page.js';
import { AccountDataPage } from './account/account-data.page.js';
import { AccountDeletionPage, type AccountDeletionProps } from './account/account-deletion.page.js';
import type { AccountDevicesProps } from './account/account-devices.page.js';
import { AccountDevicesPage } from './account/account-devices.page.js';
import { AccountKeyNamePage, type AccountKeyNameProps } from './account/account-key-name.page.js';
import { AccountKeysPage, type AccountKeysProps } from './account/account-keys.page.js';
import type { AccountLinksProps } from './account/account-links.page.js';
import { AccountLinksPage } from './account/account-links.page.js';
import type { AccountOverviewProps } from './account/account-overview.page.js';
import { AccountOverviewPage } from './account/account-overview.page.js';
import type { AccountPasswordProps } from './account/account-password.page.js';
import { AccountPasswordPage } from './account/account-password.page.js';
import type { AccountProfileProps } from './account/account-profile.page.js';
import { AccountProfilePage } from './account/account-profile.page.js';
import type { AccountQuestionProps } from './account/account-question.page.js';
import { AccountQuestionPage } from './account/account-question.page.js';
import type { AccountStepsProps } from './account/account-steps.page.js';
import { AccountStepsPage } from './account/account-steps.page.js';
import type { AccountsProps } from './accounts.page.js';
import { AccountsPage } from './accounts.page.js';
import { textsFor } from './catalogue/catalogue.js';
import type { CodeProps } from './code.page.js';
import { CodePage } from './code.page.js';
import type { ConsentProps } from './consent.page.js';
import { ConsentPage } from './consent.page.js';
import type { CookiesProps } from './cookies.page.js';
import { CookiesPage } from './cookies.page.js';
import type { DeviceProps } from './device.page.js';
import { DevicePage } from './device.page.js';
import type { DeviceConfirmProps } from './device-confirm.page.js';
import { DeviceConfirmPage } from './device-confirm.page.js';
import { DirectoryPage, type DirectoryProps } from './directory.page.js';
import type { DoneProps } from './done.page.js';
import { DonePage } from './done.page.js';
import type { ErrorProps } from './error.page.js';
import { ErrorPage } from './error.page.js';
import type { ExpiredProps } from './expired.page.js';
import { ExpiredPage } from './expired.page.js';
import { ExtStepPage, type ExtStepProps } from './ext-step.page.js';
import type { ExternalLoginProps } from './external-login.page.js';
import { ExternalLoginPage } from './external-login.page.js';
import type { ExternalUserProps } from './external-user.page.js';
import { ExternalUserPage } from './external-user.page.js';
import type { FactorOfferProps } from './factor-offer.page.js';
import { FactorOfferPage } from './factor-offer.page.js';
import type { FormPostProps } from './form-post.page.js';
import { FormPostPage } from './form-post.page.js';
import type { KeyNameProps } from './key-name.page.js';
import { KeyNamePage } from './key-name.page.js';
import type { KeySetUpProps } from './key-set-up.page.js';
import { KeySetUpPage } from './key-set-up.page.js';
import type { LinkAccountProps } from './link-account.page.js';
import { LinkAccountPage } from './link-account.page.js';
import type { LoginNameProps } from './login-name.page.js';
import { LoginNamePage } from './login-name.page.js';
import type { NotSignedInProps } from './not-signed-in.page.js';
import { NotSignedInPage } from './not-signed-in.page.js';
import type { OnwardProps } from './onward.page.js';
import { OnwardPage } from './onward.page.js';
import { OverviewActPage } from './overview/overview-act.page.js';
import { OverviewApplicationsPage } from './overview/overview-applications.page.js';
import type {
  OverviewActProps,
  OverviewApplicationsProps,
  OverviewHomeProps,
  OverviewOrgsProps,
  OverviewPeopleProps,
  OverviewPersonProps,
  OverviewPoliciesProps,
  OverviewServiceProps,
  OverviewTestedProps,
} from './overview/overview-facts.js';
import { OverviewHomePage } from './overview/overview-home.page.js';
import { OverviewOrgsPage } from './overview/overview-orgs.page.js';
import { OverviewPeoplePage } from './overview/overview-people.page.js';
import { OverviewPersonPage } from './overview/overview-person.page.js';
import { OverviewPoliciesPage } from './overview/overview-policies.page.js';
import { OverviewServicePage } from './overview/overview-service.page.js';
import { OverviewTestedPage } from './overview/overview-tested.page.js';
import type { InPage, PageContext } from './part/context.js';
import type { OfferProps } from './part/offer.js';
import type { PageName } from './part/page-names.js';
import type { PasskeyProps } from './passkey.page.js';
import { PasskeyPage } from './passkey.page.js';
import { PasskeyHerePage } from './passkey-here.page.js';
import type { PasskeyLinkProps } from './passkey-link.page.js';
import { PasskeyLinkPage } from './passkey-link.page.js';
import { PasskeyOfferPage } from './passkey-offer.page.js';
import type { PasswordProps } from './password.page.js';
import { PasswordPage } from './password.page.js';
import type { PasswordChangeProps } from './password-change.page.js';
import { PasswordChangePage } from './password-change.page.js';
import type { PasswordExpiryProps } from './password-expiry.page.js';
import { PasswordExpiryPage } from './password-expiry.page.js';
import type { PasswordResetProps } from './password-reset.page.js';
import { PasswordResetPage } from './password-reset.page.js';
import type { RecoveryCodesProps } from './recovery-codes.page.js';
import { RecoveryCodesPage } from './recovery-codes.page.js';
import type { RegisterProps } from './register.page.js';
import { RegisterPage } from './register.page.js';
import type { SecondFactorProps } from './second-factor.page.js';
import { SecondFactorPage } from './second-factor.page.js';
import type { SecurityKeyProps } from './security-key.page.js';
import { SecurityKeyPage } from './security-key.page.js';
import type { SignOutProps } from './sign-out.page.js';
import { SignOutPage } from './sign-out.page.js';
import type { SignedInProps } from './signed-in.page.js';
import { SignedInPage } from './signed-in.page.js';
import type { SignedOutProps } from './signed-out.page.js';
import { SignedOutPage } from './signed-out.page.js';
import type { SuccessProps } from './success.page.js';
import { SuccessPage } from './success.page.js';
import { TakeBackPage, type TakeBackProps } from './take-back.page.js';
import type { TotpSetUpProps } from './totp-set-up.page.js';
import { TotpSetUpPage } from './totp-set-up.page.js';

interface PageProps extends Record<PageName, object> {
  loginName: LoginNameProps;
  password: PasswordProps;
  passkey: PasskeyProps;
  passkeyOffer: OfferProps;
  passkeyHere: OfferProps;
  passkeyLink: PasskeyLinkProps;
  keySetUp: KeySetUpProps;
  keyName: KeyNameProps;
  securityKey: SecurityKeyProps;
  accounts: AccountsProps;
  register: RegisterProps;
  passwordChange: PasswordChangeProps;
  factorOffer: FactorOfferProps;
  totpSetUp: TotpSetUpProps;
  recoveryCodes: RecoveryCodesProps;
  secondFactor: SecondFactorProps;
  passwordReset: PasswordResetProps;
  passwordExpiry: PasswordExpiryProps;
  code: CodeProps;
  done: DoneProps;
  success: SuccessProps;
  consent: ConsentProps;
  extStep: ExtStepProps;
  device: DeviceProps;
  deviceConfirm: DeviceConfirmProps;
  externalLogin: ExternalLoginProps;
  directory: DirectoryProps;
  externalUser: ExternalUserProps;
  linkAccount: LinkAccountProps;
  onward: OnwardProps;
  signOut: SignOutProps;
  signedIn: SignedInProps;
  notSignedIn: NotSignedInProps;
  signedOut: SignedOutProps;
  expired: ExpiredProps;
  cookies: CookiesProps;
  error: ErrorProps;
  accountOverview: AccountOverviewProps;
  accountProfile: AccountProfileProps;
  accountPassword: AccountPasswordProps;
  accountKeys: AccountKeysProps;
  accountKeyName: AccountKeyNameProps;
  accountSteps: AccountStepsProps;
  accountDevices: AccountDevicesProps;
  accountQuestion: AccountQuestionProps;
  accountContact: AccountContactProps;
  accountLinks: AccountLinksProps;
  accountApplications: AccountApplicationsProps;
  accountData: AccountDataProps;
  accountActivity: AccountActivityProps;
  accountDeletion: AccountDeletionProps;
  accountClosed: AccountClosedProps;
  overviewHome: OverviewHomeProps;
  overviewPeople: OverviewPeopleProps;
  overviewPerson: OverviewPersonProps;
  overviewOrgs: OverviewOrgsProps;
  overviewApplications: OverviewApplicationsProps;
  overviewPolicies: OverviewPoliciesProps;
  overviewService: OverviewServiceProps;
  overviewAct: OverviewActProps;
  overviewTested: OverviewTestedProps;
  takeBack: TakeBackProps;
  formPost: FormPostProps;
}

/**
 * A page as plain data: `{ page: 'password', loginName, … }`. Steps answer with one; nothing is rendered before the
 * edge.
 */
export type LoginPage<Name extends PageName = PageName> = { [N in Name]: { readonly page: N } & PageProps[N] }[Name];

const views: { readonly [Name in PageName]: (props: InPage<PageProps[Name]>) => VNode } = {
  loginName: LoginNamePage,
  password: PasswordPage,
  passkey: PasskeyPage,
  passkeyOffer: PasskeyOfferPage,
  passkeyHere: PasskeyHerePage,
  passkeyLink: PasskeyLinkPage,
  keySetUp: KeySetUpPage,
  keyName: KeyNamePage,
  securityKey: SecurityKeyPage,
  accounts: AccountsPage,
  register: RegisterPage,
  passwordChange: PasswordChangePage,
  factorOffer: FactorOfferPage,
  totpSetUp: TotpSetUpPage,
  recoveryCodes: RecoveryCodesPage,
  secondFactor: SecondFactorPage,
  passwordReset: PasswordResetPage,
  passwordExpiry: PasswordExpiryPage,
  code: CodePage,
  done: DonePage,
  success: SuccessPage,
  consent: ConsentPage,
  extStep: ExtStepPage,
  device: DevicePage,
  deviceConfirm: DeviceConfirmPage,
  externalLogin: ExternalLoginPage,
  directory: DirectoryPage,
  externalUser: ExternalUserPage,
  linkAccount: LinkAccountPage,
  onward: OnwardPage,
  signOut: SignOutPage,
  signedIn: SignedInPage,
  notSignedIn: NotSignedInPage,
  signedOut: SignedOutPage,
  expired: ExpiredPage,
  cookies: CookiesPage,
  error: ErrorPage,
  accountOverview: AccountOverviewPage,
  accountProfile: AccountProfilePage,
  accountPassword: AccountPasswordPage,
  accountKeys: AccountKeysPage,
  accountKeyName: AccountKeyNamePage,
  accountSteps: AccountStepsPage,
  accountDevices: AccountDevicesPage,
  accountQuestion: AccountQuestionPage,
  accountContact: AccountContactPage,
  accountLinks: AccountLinksPage,
  accountApplications: AccountApplicationsPage,
  accountData: AccountDataPage,
  accountActivity: AccountActivityPage,
  accountDeletion: AccountDeletionPage,
  accountClosed: AccountClosedPage,
  overviewHome: OverviewHomePage,
  overviewPeople: OverviewPeoplePage,
  overviewPerson: OverviewPersonPage,
  overviewOrgs: OverviewOrgsPage,
  overviewApplications: OverviewApplicationsPage,
  overviewPolicies: OverviewPoliciesPage,
  overviewService: OverviewServicePage,
  overviewAct: OverviewActPage,
  overviewTested: OverviewTestedPage,
  takeBack: TakeBackPage,
  formPost: FormPostPage,
};

/**
 * A whole HTML document. Every value is escaped on its way in (preact-render-to-string escapes text and attributes
 * alike).
 */
export function renderPage<Name extends PageName>(
  page: { readonly page: Name } & PageProps[Name],
  context: PageContext,
): string {
  const View = views[page.page];
  return `<!doctype html>${renderToString(View({ ...page, context, texts: context.texts ?? textsFor(context.language) }))}`;
}
