import { FactorMail } from '../factor-mail.js';
import { KeyCheck } from '../key-check.js';
import { EmailCodeStep } from '../step/email-code.step.js';
import { NameKeyStep } from '../step/name-key.step.js';
import { OfferFactorStep } from '../step/offer-factor.step.js';
import { OfferPasskeyStep } from '../step/offer-passkey.step.js';
import { OfferPasskeyHereStep } from '../step/offer-passkey-here.step.js';
import { RecoveryCodeStep } from '../step/recovery-code.step.js';
import { SaveRecoveryCodesStep } from '../step/save-recovery-codes.step.js';
import { SecurityKeyStep } from '../step/security-key.step.js';
import { SetUpEmailCodeStep } from '../step/set-up-email-code.step.js';
import { SetUpPasskeyStep, SetUpSecurityKeyStep } from '../step/set-up-key.step.js';
import { SetUpTotpStep } from '../step/set-up-totp.step.js';
import { TotpStep } from '../step/totp.step.js';

/** The steps of second factors and keys. */
export const FACTOR_STEPS = [
  SecurityKeyStep,
  TotpStep,
  EmailCodeStep,
  RecoveryCodeStep,
  OfferFactorStep,
  OfferPasskeyStep,
  OfferPasskeyHereStep,
  SetUpPasskeyStep,
  SetUpSecurityKeyStep,
  NameKeyStep,
  SetUpTotpStep,
  SetUpEmailCodeStep,
  SaveRecoveryCodesStep,
];

/** The dependencies that these steps share. */
export const FACTOR_PROVIDERS = [FactorMail, KeyCheck];
