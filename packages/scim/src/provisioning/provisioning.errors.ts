import { ScimError } from '../error/scim-error.js';

export type Provisioned = 'user' | 'group';

/** Nobody is adopted because a directory has found a name. */
export function notProvisioned(what: Provisioned, directoryId: string): ScimError {
  return new ScimError(
    403,
    undefined,
    'PermissionDenied',
    'scim.not_provisioned',
    `This directory does not provision the ${what}. A manager of the organization puts the ${what} under it first: ` +
      `POST /management/v1/ext/scim/directories/${directoryId}/${what}s.`,
  );
}

export function provisionedElsewhere(what: Provisioned): ScimError {
  return new ScimError(
    403,
    undefined,
    'PermissionDenied',
    'scim.provisioned_elsewhere',
    `Another directory provisions the ${what}.`,
  );
}

/**
 * Whether the directory may change the object: only what it has made, or what a manager has put under it.
 * @throws ScimError 403
 */
export function checkProvisionedBy<Row extends { readonly directoryId: string }>(
  directoryId: string,
  what: Provisioned,
  row: Row | undefined,
): Row {
  if (!row) throw notProvisioned(what, directoryId);
  if (row.directoryId !== directoryId) throw provisionedElsewhere(what);
  return row;
}
