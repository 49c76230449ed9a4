import { AuthFactorController } from './factor/auth-factor.controller.js';
import { PasskeyController } from './factor/passkey.controller.js';
import { GroupGrantController } from './grant/group-grant.controller.js';
import { GroupController } from './group/group.controller.js';
import { AllUsersController } from './user/all-users.controller.js';
import { LinkedIdpController } from './user/linked-idp.controller.js';
import { MachineKeyController } from './user/machine-key.controller.js';
import { PeopleController } from './user/people.controller.js';
import { PersonalAccessTokenController } from './user/personal-access-token.controller.js';
import { ServiceUserController } from './user/service-user.controller.js';
import { UserController } from './user/user.controller.js';
import { UserMetadataController } from './user/user-metadata.controller.js';
import { UserSessionController } from './user/user-session.controller.js';

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
  GroupController,
  GroupGrantController,
];
