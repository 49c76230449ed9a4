/**
 * For how many seconds a response may be kept, as its server says (RFC 9111 §5.2.2): 0 if others must not keep it, or
 * not without asking again; undefined if it does not say.
 */
export function maxAgeOf(cacheControl = ''): number | undefined {
  const directives = cacheControl
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim());
  if (['no-store', 'no-cache', 'private'].some((directive) => directives.includes(directive))) return 0;
  const [, seconds] =
    /^max-age="?(\d{1,10})"?$/.exec(directives.find((text) => text.startsWith('max-age=')) ?? '') ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}
