import { EmailCodeStep } from '../step/email-code.step.js';
import { OfferFactorStep } from '../step/offer-factor.step.js';
import { RecoveryCodeStep } from '../step/recovery-code.step.js';
import { SaveRecoveryCodesStep } from '../step/save-recovery-codes.step.js';
import { SetUpEmailCodeStep } from '../step/set-up-email-code.step.js';
import { SetUpTotpStep } from '../step/set-up-totp.step.js';
import { TotpStep } from '../step/totp.step.js';
import { FactorMail } from './factor-mail.js';

/** The steps of second factors; a passkey will be one more. */
export const FACTOR_STEPS = [
  TotpStep,
  EmailCodeStep,
  RecoveryCodeStep,
  OfferFactorStep,
  SetUpTotpStep,
  SetUpEmailCodeStep,
  SaveRecoveryCodesStep,
];

/** Dependencies that they share. */
export const FACTOR_PROVIDERS = [FactorMail];
