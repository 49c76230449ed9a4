import { selfServiceClosed } from '../../user/user.errors.js';
import { accountOfPeople, secondFactorMissing, signInTooOld } from '../guard/admin-guard.errors.js';

/** Of every operation about one's own account. */
export const OWN_REFUSALS = [accountOfPeople()];

/** Of those that change what signs the caller in. */
export const PROVED_REFUSALS = [
  ...OWN_REFUSALS,
  selfServiceClosed('manageFactors'),
  signInTooOld(),
  secondFactorMissing(),
];
