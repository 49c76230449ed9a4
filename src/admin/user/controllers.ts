import { AuthFactorController } from '../factor/auth-factor.controller.js';
import { PasskeyController } from '../factor/passkey.controller.js';
import { AllUsersController } from './all-users.controller.js';
import { LinkedIdpController } from './linked-idp.controller.js';
import { MachineKeyController } from './machine-key.controller.js';
import { PeopleController } from './people.controller.js';
import { PersonalAccessTokenController } from './personal-access-token.controller.js';
import { ServiceUserController } from './service-user.controller.js';
import { UserController } from './user.controller.js';
import { UserMetadataController } from './user-metadata.controller.js';
import { UserSessionController } from './user-session.controller.js';

export const userControllers = [
  UserController,
  AllUsersController,
  UserSessionController,
  UserMetadataController,
  PeopleController,
  AuthFactorController,
  PasskeyController,
  LinkedIdpController,
  ServiceUserController,
  MachineKeyController,
  PersonalAccessTokenController,
];
