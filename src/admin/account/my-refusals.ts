import { accountOfPeople, secondFactorMissing, signInTooOld } from '../../management/user/my-account.errors.js';
import { applicationNotTrusted } from '../../user/permission/permission.errors.js';
import { selfServiceClosed } from '../../user/user.errors.js';

/** The refusals of every operation about the caller's own account. */
export const OWN_REFUSALS = [accountOfPeople()];

/** The refusals of operations that change how the caller signs in. */
export const PROVED_REFUSALS = [
  ...OWN_REFUSALS,
  selfServiceClosed('manageFactors'),
  signInTooOld(),
  secondFactorMissing(),
  applicationNotTrusted(),
];
