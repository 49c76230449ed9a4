import { Module } from '@nestjs/common';
import { IdpModule } from '../idp/idp.module.js';
import { MailModule } from '../mail/mail.module.js';
import { MailServerModule } from '../mail/server/mail-server.module.js';
import { IdpManagementModule } from '../management/idp/idp-management.module.js';
import { TenancyModule } from '../management/org/tenancy.module.js';
import { ProjectManagementModule } from '../management/project/project-management.module.js';
import { UserManagementModule } from '../management/user/user-management.module.js';
import { WhyModule } from '../management/why/why.module.js';
import { MigrationModule } from '../migration/migration.module.js';
import { InstanceModule } from '../org/instance/instance.module.js';
import { OrgModule } from '../org/org.module.js';
import { PolicyModule } from '../org/policy/policy.module.js';
import { BrandingModule } from '../page/branding/branding.module.js';
import { ClientModule } from '../project/client/client.module.js';
import { ProofModule } from '../session/proof/proof.module.js';
import { SessionModule } from '../session/session.module.js';
import { TextModule } from '../text/text.module.js';
import { KeyModule } from '../token/key/key.module.js';
import { TokenModule } from '../token/token.module.js';
import { PermissionModule } from '../user/permission/permission.module.js';
import { UserModule } from '../user/user.module.js';
import { WebhookModule } from '../webhook/webhook.module.js';
import { AccountController } from './account/account.controller.js';
import { MyAccessController } from './account/my-access.controller.js';
import { MyCodes } from './account/my-codes.js';
import { MyCredentialsController } from './account/my-credentials.controller.js';
import { MyEmail } from './account/my-email.js';
import { MyFactorsController } from './account/my-factors.controller.js';
import { MyFactors } from './account/my-factors.js';
import { MyKeysController } from './account/my-keys.controller.js';
import { MyKeys } from './account/my-keys.js';
import { MyPassword } from './account/my-password.js';
import { MyProfileController } from './account/my-profile.controller.js';
import { ConfigurationController } from './configuration/configuration.controller.js';
import { ConfigurationFacts } from './configuration/configuration-facts.js';
import { ConfigurationSchema } from './configuration/configuration-schema.js';
import { Configurations } from './configuration/configurations.js';
import { EventController } from './event/event.controller.js';
import { EventListenerController } from './event/event-listener.controller.js';
import { ExtensionController } from './extension/extension.controller.js';
import { DeclaredSettingsModule } from './idp/declared-settings.js';
import { idpController } from './idp/idp.controllers.js';
import { IdpOperations } from './idp/idp.operations.js';
import { loginPolicyIdpController } from './idp/login-policy-idp.controllers.js';
import { LoginPolicyIdpOperations } from './idp/login-policy-idp.operations.js';
import { providerController } from './idp/provider.controllers.js';
import { templateControllersAt } from './idp/template/templates.js';
import { AdminHealthController } from './instance/admin-health.controller.js';
import { InstanceController } from './instance/instance.controller.js';
import { InstanceDomainController } from './instance/instance-domain.controller.js';
import { RestrictionsController } from './instance/restrictions.controller.js';
import { SecretGeneratorController } from './instance/secret-generator.controller.js';
import { KeyController } from './key/key.controller.js';
import { SettingsController } from './key/settings.controller.js';
import { DocsLinks } from './kit/docs-link.js';
import { ExtCalls } from './kit/ext-calls.js';
import { Authenticator } from './kit/guard/authenticator.js';
import { TokenRate } from './kit/guard/token-rate.js';
import { InnerCalls } from './kit/inner-calls.js';
import { LEVELS } from './kit/level.js';
import { AdminErrorFilter } from './kit/status/admin-error.filter.js';
import { Refusals } from './kit/status/refusals.js';
import { LogoutNoticeController } from './logout/logout-notice.controller.js';
import { EmailProviderController } from './mail/email-provider.controller.js';
import { InvitationController } from './mail/invitation.controller.js';
import { MailController } from './mail/mail.controller.js';
import { MailServerOperations } from './mail/mail-server.operations.js';
import { MailSettingsController } from './mail/mail-settings.controller.js';
import { SmtpController } from './mail/smtp.controller.js';
import { InstanceMemberController } from './member/instance-member.controller.js';
import { OrgMemberController } from './member/org-member.controller.js';
import { ProjectGrantMemberController } from './member/project-grant-member.controller.js';
import { ProjectMemberController } from './member/project-member.controller.js';
import { JobController } from './migration/job.controller.js';
import { MigrationController } from './migration/migration.controller.js';
import { MyOrgController } from './org/my-org.controller.js';
import { OrgController } from './org/org.controller.js';
import { OrgDomainController } from './org/org-domain.controller.js';
import { OrgMetadataController } from './org/org-metadata.controller.js';
import {
  DomainPolicyController,
  OrgDomainPolicyController,
  OrgIamPolicyController,
} from './policy/domain-policy.controller.js';
import { LabelAssetController } from './policy/label-asset.controller.js';
import { labelFileControllers } from './policy/label-file.controllers.js';
import { labelImageControllers } from './policy/label-image.controllers.js';
import { AddedNotificationPolicyController, labelPolicyControllers } from './policy/label-policy.controllers.js';
import { loginFactorControllers } from './policy/login-factor.controllers.js';
import { policyControllersOfAllKinds } from './policy/policies.js';
import { PolicyOperations } from './policy/policy.operations.js';
import { SecurityPolicyController } from './policy/security-policy.controller.js';
import { projectControllers } from './project-controllers.js';
import { loginTextControllers } from './text/login-text.controllers.js';
import { messagePreviewControllers } from './text/message-preview.controllers.js';
import { messageTextControllers } from './text/message-text.controllers.js';
import { userControllers } from './user-controllers.js';
import { webhookController } from './webhook/webhook.controllers.js';
import { WebhookOperations } from './webhook/webhook.operations.js';
import { ExplanationController } from './why/explanation.controller.js';
import { TokenExplanationController } from './why/token-explanation.controller.js';

/** EDGE: the administrative API. */
@Module({
  imports: [
    BrandingModule,
    ClientModule,
    DeclaredSettingsModule,
    IdpManagementModule,
    IdpModule,
    InstanceModule,
    KeyModule,
    MailModule,
    MailServerModule,
    MigrationModule,
    OrgModule,
    PermissionModule,
    PolicyModule,
    ProjectManagementModule,
    ProofModule,
    SessionModule,
    TenancyModule,
    TextModule,
    TokenModule,
    UserManagementModule,
    UserModule,
    WebhookModule,
    WhyModule,
  ],
  controllers: [
    ExplanationController,
    TokenExplanationController,
    AccountController,
    MyProfileController,
    MyCredentialsController,
    MyFactorsController,
    MyKeysController,
    MyAccessController,
    ConfigurationController,
    EventController,
    EventListenerController,
    ExtensionController,
    AdminHealthController,
    InstanceController,
    InstanceDomainController,
    RestrictionsController,
    SecretGeneratorController,
    InstanceMemberController,
    InvitationController,
    JobController,
    KeyController,
    LogoutNoticeController,
    MailController,
    MailSettingsController,
    MigrationController,
    MyOrgController,
    OrgController,
    OrgDomainController,
    OrgMetadataController,
    OrgMemberController,
    ProjectGrantMemberController,
    ProjectMemberController,
    SecurityPolicyController,
    SettingsController,
    SmtpController,
    EmailProviderController,
    ...LEVELS.flatMap((level) => [
      idpController(level),
      providerController(level),
      ...templateControllersAt(level),
      loginPolicyIdpController(level),
      webhookController(level),
    ]),
    ...policyControllersOfAllKinds,
    DomainPolicyController,
    OrgDomainPolicyController,
    OrgIamPolicyController,
    ...labelPolicyControllers,
    AddedNotificationPolicyController,
    ...labelImageControllers,
    LabelAssetController,
    ...labelFileControllers,
    ...loginFactorControllers,
    ...projectControllers,
    ...messageTextControllers,
    ...messagePreviewControllers,
    ...loginTextControllers,
    ...userControllers,
  ],
  providers: [
    AdminErrorFilter,
    Authenticator,
    ConfigurationFacts,
    ConfigurationSchema,
    Configurations,
    DocsLinks,
    IdpOperations,
    InnerCalls,
    LoginPolicyIdpOperations,
    ExtCalls,
    MyCodes,
    MyEmail,
    MyFactors,
    MyKeys,
    MyPassword,
    MailServerOperations,
    PolicyOperations,
    Refusals,
    TokenRate,
    WebhookOperations,
  ],
  exports: [
    AdminErrorFilter,
    Authenticator,
    DocsLinks,
    ExtCalls,
    InnerCalls,
    MyEmail,
    MyFactors,
    MyKeys,
    MyPassword,
    Refusals,
  ],
})
export class AdminModule {}
