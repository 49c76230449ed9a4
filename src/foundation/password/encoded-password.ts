declare const hashed: unique symbol;
/**
 * A PHC string from `PasswordHash`, or an imported one in one of the `PASSWORD_FORMS`. Whatever stores a
 * password takes this type: a plain password cannot slip in, and hashing, which may wait for seconds, is over before a
 * transaction holds a connection.
 */
export type EncodedPassword = string & { readonly [hashed]: true };
