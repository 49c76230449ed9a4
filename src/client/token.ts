/**
 * A token as it is sent. Around one that was read from a file there is often a line break.
 * @throws TypeError if it cannot be sent, which does not show it: the error of fetch about such a header would
 */
export function tokenOfText(text: string): string {
  const token = text.trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new TypeError(
    token === '' ? 'The token is empty.' : 'The token must be one word of ASCII characters, without "Bearer".',
  );
}
