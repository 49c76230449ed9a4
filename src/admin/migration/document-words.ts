import { AddApiAppRequest } from '../app/app.dto.js';
import { AppKey } from '../app/app-key.dto.js';
import { AddOidcAppRequest } from '../app/oidc-app.dto.js';
import { LoginV2 } from '../app/oidc-config.dto.js';
import { AddGroupGrantRequest } from '../grant/group-grant.dto.js';
import { AddProjectGrantRequest } from '../grant/project-grant.dto.js';
import { AddUserGrantRequest } from '../grant/user-grant.dto.js';
import { CreateGroupRequest } from '../group/group.dto.js';
import { AddJwtIdpRequest, AddOidcIdpRequest } from '../idp/idp.dto.js';
import { AddIdpToOrgLoginPolicyRequest } from '../idp/login-policy-idp.dto.js';
import { AddExtensionProviderRequest } from '../idp/provider.dto.js';
import { ProviderOptions } from '../idp/provider-options.dto.js';
import { fieldsOf } from '../kit/wire/declared-field.js';
import type { DeclaredField, MessageClass } from '../kit/wire/field.js';
import { OrgMemberRequest, ProjectGrantMemberRequest, ProjectMemberRequest } from '../member/member.dto.js';
import { OrgDomainEntry } from '../org/org-domain.dto.js';
import { SetOrgMetadataRequest } from '../org/org-metadata.dto.js';
import { CustomDomainPolicyRequest, CustomOrgIamPolicyRequest } from '../policy/domain-policy.dto.js';
import { LabelPolicyRequest } from '../policy/label-policy.dto.js';
import { AddCustomLoginPolicyRequest, MultiFactorRequest, SecondFactorRequest } from '../policy/login-policy.dto.js';
import {
  LockoutPolicyRequest,
  NotificationPolicyRequest,
  PasswordAgePolicyRequest,
  PasswordComplexityPolicyRequest,
  PrivacyPolicyRequest,
  SelfServicePolicyRequest,
} from '../policy/policy.dto.js';
import { AddProjectAdmin, AddProjectRequest } from '../project/project.dto.js';
import { AddProjectRoleRequest } from '../project/project-role.dto.js';
import { MessageCustomText } from '../text/message-text.dto.js';
import { IDPUserLink } from '../user/linked-idp.dto.js';
import {
  HumanEmailInput,
  HumanPhoneInput,
  ImportedPasswordHash,
  ImportedRecoveryCode,
  ImportHumanUserRequest,
} from '../user/people.dto.js';
import { HumanProfileInput, UserAddress } from '../user/profile.dto.js';
import { AddMachineUserRequest, MachineKey } from '../user/service-user.dto.js';
import { SetUserMetadataRequest } from '../user/user-metadata.dto.js';

type Words = Pick<DeclaredField, 'description' | 'example'>;

/** The requests and answers that explain members of the document, by its messages. */
export const EXPLAINED: Readonly<Record<string, MessageClass>> = {
  DataApiAppApp: AddApiAppRequest,
  DataAppKey: AppKey,
  DataDomain: OrgDomainEntry,
  DataDomainPolicy: CustomDomainPolicyRequest,
  DataExtensionIdpIdp: AddExtensionProviderRequest,
  DataGroup: CreateGroupRequest,
  DataGroupGrant: AddGroupGrantRequest,
  DataHumanUserUser: ImportHumanUserRequest,
  DataHumanUserUserEmail: HumanEmailInput,
  DataHumanUserUserHashedPassword: ImportedPasswordHash,
  DataHumanUserUserPhone: HumanPhoneInput,
  DataHumanUserUserProfile: HumanProfileInput,
  DataHumanUserUserProfileAddress: UserAddress,
  DataHumanUserUserRecoveryCode: ImportedRecoveryCode,
  DataIamPolicy: CustomOrgIamPolicyRequest,
  DataJwtIdpIdp: AddJwtIdpRequest,
  DataLabelPolicy: LabelPolicyRequest,
  DataLockoutPolicy: LockoutPolicyRequest,
  DataLoginPolicy: AddCustomLoginPolicyRequest,
  DataLoginPolicyIdp: AddIdpToOrgLoginPolicyRequest,
  DataMachineKey: MachineKey,
  DataMachineUserUser: AddMachineUserRequest,
  DataMultiFactor: MultiFactorRequest,
  DataNotificationPolicy: NotificationPolicyRequest,
  DataOidcAppApp: AddOidcAppRequest,
  DataOidcAppAppLoginVersionLoginV2: LoginV2,
  DataOidcIdpIdp: AddOidcIdpRequest,
  DataOidcIdpIdpProviderOptions: ProviderOptions,
  DataOrgMember: OrgMemberRequest,
  DataOrgMetadata: SetOrgMetadataRequest,
  DataPasswordAgePolicy: PasswordAgePolicyRequest,
  DataPasswordComplexityPolicy: PasswordComplexityPolicyRequest,
  DataPrivacyPolicy: PrivacyPolicyRequest,
  DataProjectGrantMember: ProjectGrantMemberRequest,
  DataProjectGrantProjectGrant: AddProjectGrantRequest,
  DataProjectMember: ProjectMemberRequest,
  DataProjectProject: AddProjectRequest,
  DataProjectProjectAdmin: AddProjectAdmin,
  DataProjectRole: AddProjectRoleRequest,
  DataSecondFactor: SecondFactorRequest,
  DataSelfServicePolicy: SelfServicePolicyRequest,
  DataUserGrant: AddUserGrantRequest,
  DataUserLink: IDPUserLink,
  DataUserMetadata: SetUserMetadataRequest,
};

const IMAGE = { description: 'The active image, PNG or JPEG.', example: 'iVBORw0KGgo=' };

/** Members that only the document has. */
export const OF_THE_DOCUMENT: Readonly<Record<string, Words>> = {
  actionIds: { description: 'The scripts, in execution order.' },
  allowedToFail: { description: 'Whether the flow would continue if the script failed.' },
  attributes: {
    description: 'What the provider has said of the user at the last sign-in, by the names that its kind gives it.',
  },
  autoRegister: { description: 'Whether an account is created for users who sign in for the first time.' },
  extensions: {
    description:
      'Rows of extensions, by the ID of the extension and the name of the table: `{"hr": {"badge": [{…}]}}`. Each column has its own name; what is NULL is left out.',
  },
  kind: { description: 'The protocol of the extension that answers the application.', example: 'ext:saml' },
  isIdTokenMapping: { description: 'Whether the ID token alone says who users are.' },
  usePkce: { description: 'As it was sent; PKCE is used in any case.' },
  flowType: { description: 'The number of the flow type.' },
  iconDarkImage: IMAGE,
  iconImage: IMAGE,
  language: { description: 'BCP 47 language tag.', example: 'en' },
  logoDarkImage: IMAGE,
  logoImage: IMAGE,
  awaitsSetUp: {
    description: 'The account was not set up when it was deactivated or locked: opened again, it waits for that.',
  },
  mayStayUnverified: { description: 'The user may sign in although the address is not verified.' },
  origin: {
    description:
      'APP_ORIGIN_REGISTERED for applications that have registered themselves (RFC 7591); left out for those of administrators.',
  },
  about: {
    description:
      'What an application that has registered itself says of itself: `name`, `clientUri`, `policyUri`, `tosUri`.',
  },
  orgState: { description: 'Users cannot sign in to an inactive application.' },
  otpEmail: { description: 'Whether the user has e-mail codes as a second factor.' },
  passwordChanged: { description: 'When the password was set.' },
  hasKeys: { description: 'Whether the user has passkeys or security keys that the document does not contain.' },
  passkeys: { description: 'Passkeys and security keys.' },
  publicKey: { description: 'The public key in PEM format.', example: 'LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0K' },
  resourceUris: {
    description: 'The protected resources of the project, as clients name them (RFC 8707).',
    example: 'https://mcp.example.com/',
  },
  script: { description: 'The source of the script. It is never executed.' },
  secretHash: {
    description: 'The stored form of the secret: its SHA-256 in base64, or a password hash such as `$argon2id$…`.',
  },
  state: { description: 'The state. Defaults to active.' },
  timeout: { description: 'Maximum run time of the script.', example: '10s' },
  triggerType: { description: 'The number of the trigger: when in the flow the scripts would run.' },
};

/** Members of messages that no operation has, where another message has one of the same name. */
const OF_A_MESSAGE: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  DataHumanUserUserPasskey: {
    credentialId: { description: 'The ID that the authenticator chose.', example: 'q83vASNFZ4mrze8BI0VniQ==' },
    publicKey: {
      description: 'The public key, as a COSE key (RFC 9052): ES256, RS256 or Ed25519.',
      example:
        'pQECAyYgASFYIG84SfJRBnXWfuMI+5mC9YJDEW5XyohYlg9C7tjGuq9pIlggJc51kAm+IFHIYeOBvrCsExu8ioSRbdF5kVsR6sF3f7Y=',
    },
    counter: { description: 'The signature counter at the last use; 0 if the authenticator does not count.' },
    name: { description: 'The name that its owner sees. Defaults to that of its model.' },
    transports: { description: 'How the authenticator can be reached.', example: ['internal', 'hybrid'] },
    aaguid: { description: 'The model of the authenticator.', example: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd' },
    userHandle: {
      description: 'The user handle that it was made with. Defaults to the ID of the user, in UTF-8.',
      example: 'MzEyOTA5MDc1MjEyNDY4OTk5',
    },
    rpId: { description: 'The domain that it was made for: it works at no other one.', example: 'id.example.com' },
    isSecondFactor: { description: 'A security key, which is asked for after a password, and does not replace it.' },
    isBackupEligible: {
      description: 'Whether it can be synchronized to other devices. If absent, its first use decides.',
    },
    isBackedUp: { description: 'Whether it was synchronized at the last use.' },
    creationDate: { description: 'When it was made.' },
  },
};

/** The meaning of a member of the document, where the operations on the same things say it. */
export function wordsOf(message: string, field: string): Words {
  const explained = EXPLAINED[message] ?? (message.endsWith('Message') ? MessageCustomText : undefined);
  const { description, example } =
    (explained ? fieldsOf(explained) : []).find(
      ({ name, description: said }) => name === field && said !== undefined,
    ) ??
    OF_A_MESSAGE[message]?.[field] ??
    OF_THE_DOCUMENT[field] ??
    {};
  return { ...(description === undefined ? {} : { description }), ...(example === undefined ? {} : { example }) };
}
