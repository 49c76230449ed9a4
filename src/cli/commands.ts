import { ADMIN } from './admin.command.js';
import type { Command } from './command.js';
import { CONVERT } from './convert.command.js';
import { DOCTOR } from './doctor.command.js';
import { EXPORT } from './export.command.js';
import { IMPORT } from './import.command.js';
import { REGISTER } from './register.command.js';

/** All commands of `gatehouse`, one file each. */
export const COMMANDS: readonly Command[] = [REGISTER, EXPORT, IMPORT, CONVERT, ADMIN, DOCTOR];
