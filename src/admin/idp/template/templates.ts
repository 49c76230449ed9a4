import type { Type } from '@nestjs/common';
import type { Level } from '../../kit/level.js';
import { APPLE } from './apple.template.js';
import { AZURE_AD } from './azure-ad.template.js';
import { GITHUB, GITHUB_SERVER } from './github.template.js';
import { GITLAB, OWN_GITLAB } from './gitlab.template.js';
import { GOOGLE } from './google.template.js';
import { OAUTH } from './oauth.template.js';
import { templateController } from './template.controllers.js';

export function templateControllersAt(level: Level): Type[] {
  return [
    templateController(level, GOOGLE),
    templateController(level, AZURE_AD),
    templateController(level, GITHUB),
    templateController(level, GITHUB_SERVER),
    templateController(level, GITLAB),
    templateController(level, OWN_GITLAB),
    templateController(level, APPLE),
    templateController(level, OAUTH),
  ];
}
