import { Module } from '@nestjs/common';
import { AttemptModule } from '../foundation/attempt/attempt.module.js';
import { IdpModule } from '../idp/idp.module.js';
import { UserManagementModule } from '../management/user/user-management.module.js';
import { InstanceModule } from '../org/instance/instance.module.js';
import { OrgModule } from '../org/org.module.js';
import { PolicyModule } from '../org/policy/policy.module.js';
import { BrandingModule } from '../page/branding/branding.module.js';
import { ClientModule } from '../project/client/client.module.js';
import { AuthRequestModule } from '../session/auth-request/auth-request.module.js';
import { ProofModule } from '../session/proof/proof.module.js';
import { SessionModule } from '../session/session.module.js';
import { DeviceModule } from '../token/device/device.module.js';
import { TokenModule } from '../token/token.module.js';
import { FactorModule } from '../user/factor/factor.module.js';
import { PermissionModule } from '../user/permission/permission.module.js';
import { UserModule } from '../user/user.module.js';
import { AdministrationOffers } from './administration-offers.js';
import { CodeController } from './code/code.controller.js';
import { CODE_PROVIDERS } from './code/code-providers.js';
import { ConfirmDeviceStep } from './device/confirm-device.step.js';
import { DeviceEntryController } from './device/device-entry.controller.js';
import { DeviceEntry } from './device/device-entry.js';
import { EmailProof } from './email-proof.js';
import { FACTOR_PROVIDERS, FACTOR_STEPS } from './factor/factor-steps.js';
import { FirstKeys } from './first-keys.js';
import { AnswerSender } from './hub/answer-sender.js';
import { BroughtForm } from './hub/brought-form.js';
import { ExternalLoginController } from './hub/external-login.controller.js';
import { LoginController } from './hub/login.controller.js';
import { LoginHub } from './hub/login.hub.js';
import { LoginAssetsController } from './hub/login-assets.controller.js';
import { SignInDoor } from './hub/sign-in-door.js';
import { ExternalLogin } from './idp/external-login.js';
import { ExternalMessages } from './idp/external-messages.js';
import { ExternalProviders } from './idp/external-providers.js';
import { ExternalRegistration } from './idp/external-registration.js';
import { TurnRate } from './idp/turn-rate.js';
import { Lobby } from './lobby.js';
import { LoginPages } from './login-pages.js';
import { LOGIN_STEPS, type LoginStep } from './login-step.js';
import { MailedCodes } from './mailed-codes.js';
import { MailedKeys } from './mailed-keys.js';
import { ParkedVisits } from './parked-visits.js';
import { PasskeyCheck } from './passkey-check.js';
import { PasskeyForms } from './passkey-forms.js';
import { PasskeyHereCookie } from './passkey-here-cookie.js';
import { Registration } from './registration.js';
import { RepeatedSignIn } from './repeated-sign-in.js';
import { SignInCompletion } from './sign-in-completion.js';
import { ChangePasswordStep } from './step/change-password.step.js';
import { ConsentStep } from './step/consent.step.js';
import { DirectoryStep } from './step/directory.step.js';
import { ExtSteps } from './step/ext-step.js';
import { ExternalLoginStep } from './step/external-login.step.js';
import { ExternalUserStep } from './step/external-user.step.js';
import { LinkAccountStep } from './step/link-account.step.js';
import { LoginNameStep } from './step/login-name.step.js';
import { PasskeyStep } from './step/passkey.step.js';
import { PasswordStep } from './step/password.step.js';
import { PasswordExpiryStep } from './step/password-expiry.step.js';
import { RegisterStep } from './step/register.step.js';
import { SelectAccountStep } from './step/select-account.step.js';
import { VerifyEmailStep } from './step/verify-email.step.js';
import { Visits } from './visits.js';

/** A further step (a second factor, a passkey, an e-mail code) is a file in `step/` and a line here. */
const steps = [
  LoginNameStep,
  PasswordStep,
  PasskeyStep,
  SelectAccountStep,
  RegisterStep,
  VerifyEmailStep,
  PasswordExpiryStep,
  ChangePasswordStep,
  ConsentStep,
  ConfirmDeviceStep,
  DirectoryStep,
  ExternalLoginStep,
  ExternalUserStep,
  LinkAccountStep,
  ...FACTOR_STEPS,
];

/** EDGE: the pages on which people sign in. */
@Module({
  imports: [
    AttemptModule,
    AuthRequestModule,
    BrandingModule,
    ClientModule,
    DeviceModule,
    FactorModule,
    IdpModule,
    InstanceModule,
    OrgModule,
    PolicyModule,
    PermissionModule,
    ProofModule,
    SessionModule,
    TokenModule,
    UserManagementModule,
    UserModule,
  ],
  // The one with the catch-all comes last.
  controllers: [LoginAssetsController, CodeController, DeviceEntryController, ExternalLoginController, LoginController],
  providers: [
    ...CODE_PROVIDERS,
    ...FACTOR_PROVIDERS,
    AdministrationOffers,
    AnswerSender,
    BroughtForm,
    ExternalLogin,
    ExternalMessages,
    TurnRate,
    ExternalProviders,
    ExternalRegistration,
    DeviceEntry,
    EmailProof,
    FirstKeys,
    MailedCodes,
    MailedKeys,
    ParkedVisits,
    SignInDoor,
    Lobby,
    LoginHub,
    LoginPages,
    PasskeyCheck,
    PasskeyForms,
    PasskeyHereCookie,
    SignInCompletion,
    Registration,
    RepeatedSignIn,
    Visits,
    ...steps,
    ExtSteps,
    {
      provide: LOGIN_STEPS,
      useFactory: (own: ExtSteps, ...ours: LoginStep[]) => [...ours, ...own.all],
      inject: [ExtSteps, ...steps],
    },
  ],
})
export class LoginModule {}
