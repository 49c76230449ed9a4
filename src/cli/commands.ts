import { ADMIN } from './admin.command.js';
import { APPLY } from './apply.command.js';
import type { Command } from './command/command.js';
import { CONVERT } from './convert.command.js';
import { DOCTOR } from './doctor.command.js';
import { DRIFT } from './drift.command.js';
import { EVENTS } from './events.command.js';
import { EXPORT } from './export.command.js';
import { EXTENSION } from './extension.command.js';
import { IMPORT } from './import.command.js';
import { PLAN } from './plan.command.js';
import { PULL } from './pull.command.js';
import { REGISTER } from './register.command.js';
import { WHY } from './why.command.js';

/** A command that is not run here, because the service is loaded for it alone: see start.ts. */
export const START = { name: 'start', summary: 'Start the service, with extensions if there are any' } as const;

/** The provider for tests of applications, which src/extension/test-idp runs. */
export const TEST_IDP = {
  name: 'test-idp',
  summary: 'Start the service for the tests of applications, in memory',
} as const;

/** All commands of `gatehouse`, one file each. */
export const COMMANDS: readonly Command[] = [
  REGISTER,
  PULL,
  PLAN,
  APPLY,
  DRIFT,
  EXPORT,
  IMPORT,
  CONVERT,
  ADMIN,
  EXTENSION,
  EVENTS,
  WHY,
  DOCTOR,
];
