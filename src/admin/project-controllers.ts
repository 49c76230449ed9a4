import type { Type } from '@nestjs/common';
import { ApiAppController } from './app/api-app.controller.js';
import { AppController } from './app/app.controller.js';
import { AppAdministrationController } from './app/app-administration.controller.js';
import { AppKeyController } from './app/app-key.controller.js';
import { OidcAppController } from './app/oidc-app.controller.js';
import { RegistrationController } from './app/registration.controller.js';
import { GrantedProjectController } from './grant/granted-project.controller.js';
import { ProjectGrantController } from './grant/project-grant.controller.js';
import { UserGrantController } from './grant/user-grant.controller.js';
import { ProjectController } from './project/project.controller.js';
import { ProjectResourceController } from './project/project-resource.controller.js';
import { ProjectRoleController } from './project/project-role.controller.js';

/** Projects and all that belongs to them. */
export const projectControllers: readonly Type[] = [
  ProjectController,
  ProjectRoleController,
  ProjectResourceController,
  AppController,
  AppAdministrationController,
  OidcAppController,
  ApiAppController,
  AppKeyController,
  RegistrationController,
  ProjectGrantController,
  GrantedProjectController,
  UserGrantController,
];
