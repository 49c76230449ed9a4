import { EmailV2Controller } from './contact/email-v2.controller.js';
import { PhoneV2Controller } from './contact/phone-v2.controller.js';
import { UserMetadataV2Controller } from './contact/user-metadata-v2.controller.js';
import { PasswordV2Controller } from './credential/password-v2.controller.js';
import { PersonalAccessTokenV2Controller } from './credential/personal-access-token-v2.controller.js';
import { ServiceSecretV2Controller } from './credential/service-secret-v2.controller.js';
import { UserKeyV2Controller } from './credential/user-key-v2.controller.js';

/** What belongs to one user: how they are reached, and what signs them in. */
export const userDetailControllersV2 = [
  EmailV2Controller,
  PhoneV2Controller,
  UserMetadataV2Controller,
  PasswordV2Controller,
  ServiceSecretV2Controller,
  UserKeyV2Controller,
  PersonalAccessTokenV2Controller,
];
