import type { Provider } from '@nestjs/common';
import { CODE_JOURNEYS, type CodeJourney } from './code-journey.js';
import { CodeOwners } from './code-owners.js';
import { Guests } from './guests.js';
import { NewPasswordJourney } from './new-password.journey.js';
import { PasskeyLinkJourney } from './passkey-link.journey.js';
import { PasswordResetJourney } from './password-reset.journey.js';
import { PasswordResetRequests } from './password-reset-requests.js';
import { SetUpJourney } from './set-up.journey.js';
import { TakeBackJourney } from './take-back.journey.js';
import { VerifyEmailJourney } from './verify-email.journey.js';

const journeys = [
  SetUpJourney,
  VerifyEmailJourney,
  PasswordResetJourney,
  NewPasswordJourney,
  PasskeyLinkJourney,
  TakeBackJourney,
];

/** The journeys behind the links in mails. */
export const CODE_PROVIDERS: Provider[] = [
  Guests,
  CodeOwners,
  PasswordResetRequests,
  ...journeys,
  { provide: CODE_JOURNEYS, useFactory: (...all: CodeJourney[]) => all, inject: journeys },
];
