import { accountNotOwn } from '../../../../management/user/my-account.errors.js';
import { PROVED_REFUSALS } from '../../../account/my-refusals.js';

/** The refusals of operations by which users set up what signs them in. */
export const OWN_FACTOR_REFUSALS = [accountNotOwn(), ...PROVED_REFUSALS];

export const ABOUT_OWN =
  'Users do this for themselves: the access token is theirs, from a sign-in of the last ten minutes with every factor that they hold. No permission allows it for others.';
