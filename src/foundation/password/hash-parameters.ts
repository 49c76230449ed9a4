/**
 * The cost of our own password hashes: OWASP's second argon2id profile, about 12 ms here, with one lane. Every hash
 * contains its parameters, so raising them rehashes each password at its owner's next sign-in. No setting changes them:
 * only tests whose subject is not hashing supply cheaper ones.
 */
export class HashParameters {
  constructor(
    readonly memoryKib = 19_456,
    readonly passes = 2,
  ) {}

  /** The beginning of every hash with these parameters, without the salt. */
  get setting(): string {
    return `$argon2id$v=19$m=${this.memoryKib},t=${this.passes},p=1`;
  }
}
