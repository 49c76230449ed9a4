/** Allows more than the ids that we make, since imports choose ids as well. */
const USER_ID = /^[\x21-\x7e]{1,200}$/;

/** Whether a text from outside can be the ID of a user at all. */
export function isUserId(text: string): boolean {
  return USER_ID.test(text);
}
