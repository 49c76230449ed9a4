import { parseMailDomain } from './domain-name.js';

const MAX_CHARACTERS = 200;
/** An address as typed: no white space, no second @, followed by a domain. */
const ADDRESS = /^([^\s@<>()[\],;:"\\\p{Cc}\p{Cf}]{1,64})@([^\s@<>()[\],;:"\\\p{Cc}\p{Cf}]{1,253})$/u;

const NO_ADDRESS = 'must be an e-mail address';

type Reading = { readonly email: string } | { readonly problem: string };

/**
 * An address as it is stored, compared and mailed to: its domain in ASCII and in lower case (UTS 46), because two
 * spellings of a domain are one mailbox, and the claim `email` is an addr-spec of RFC 5322 (OIDC Core §5.1). The part
 * before the @ is unchanged: its meaning is up to the server of the domain (RFC 5321 §2.4). Undefined if it is not an
 * address.
 */
export function parseEmail(text: string): string | undefined {
  const reading = read(text);
  return 'email' in reading ? reading.email : undefined;
}

/** What is wrong with an address; undefined if it is valid. */
export function emailProblem(text: string): string | undefined {
  const reading = read(text);
  return 'problem' in reading ? reading.problem : undefined;
}

export function isEmail(text: string, maxCharacters = MAX_CHARACTERS): boolean {
  return 'email' in read(text, maxCharacters);
}

/** The form in which to look an address up: as it is stored, or unchanged if it is not valid. */
export function toStoredEmail(text: string): string {
  return parseEmail(text) ?? text;
}

function read(text: string, maxCharacters = MAX_CHARACTERS): Reading {
  const [, local, typedDomain] = [...text].length <= maxCharacters ? (ADDRESS.exec(text) ?? []) : [];
  if (local === undefined || typedDomain === undefined) return { problem: NO_ADDRESS };
  const domain = parseMailDomain(typedDomain);
  if (domain === undefined) {
    return {
      problem: `${NO_ADDRESS}: "${typedDomain}" is no domain, which has labels of 1 to 63 letters, digits and hyphens, separated by dots`,
    };
  }
  const email = `${local}@${domain}`;
  return [...email].length <= maxCharacters
    ? { email }
    : { problem: `${NO_ADDRESS} of at most ${maxCharacters} characters; its domain is "${domain}" in ASCII` };
}
