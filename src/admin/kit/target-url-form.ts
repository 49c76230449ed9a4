import { targetUrlProblem } from '../../foundation/outbound/target-url.js';

/** The form of an address that the service calls. Where http is allowed is known to the domain. */
export const TARGET_URL_FORM = {
  fits: (text: string): boolean => targetUrlProblem(text, { production: false }) === undefined,
  says: 'must be a URL of the form https://host/path',
};
