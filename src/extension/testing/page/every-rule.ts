/** Everything that a password may have to contain. */
export const rules = { minLength: 8, uppercase: true, lowercase: true, number: true, symbol: true };
