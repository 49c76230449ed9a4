import type { Claims } from './user-claims.js';

/** Which claims a token lacks; userinfo and introspection have them all. No claim of others may have this name. */
export const LEFT_OUT = 'left_out_claims';
/** How many names that claim lists at most. */
const MAX_NAMES = 20;

/** Claims about the user. */
export interface Asserted {
  readonly own: Claims;
  /** Names of own claims that only say once more what another one says, the least useful first. */
  readonly repeated: readonly string[];
  /** The claims of extensions, which never replace our own. */
  readonly contributed: Claims;
}

export interface FittingToken {
  readonly token: string;
  /** The length of the token with all claims. */
  readonly characters: number;
  /** Undefined also if only repeated claims are missing: nothing is lost then. */
  readonly omitted: 'contributed' | 'all' | undefined;
  /** The names of the claims that were left out. */
  readonly leftOut: readonly string[];
}

/** The lengths of tokens, in characters. */
export interface TokenLimits {
  /** Longer tokens leave out the repeated claims. */
  readonly usual: number;
  /** The greatest length of a token. */
  readonly most: number;
}

/**
 * The token with as many of the claims as fit. What is repeated goes first, then the claims of extensions, then all of
 * them; `left_out_claims` names them, so that an application can ask userinfo.
 */
export async function fit(
  { own, repeated, contributed }: Asserted,
  { usual, most }: TokenLimits,
  sign: (claims: Claims) => Promise<string>,
): Promise<FittingToken> {
  const all = { ...contributed, ...own };
  const whole = await sign(all);
  const without = async (names: readonly string[]): Promise<Pick<FittingToken, 'token' | 'leftOut'>> => {
    const isLeftOut = new Set(names);
    const left = Object.entries(all).filter(([name]) => !isLeftOut.has(name));
    const leftOut = names.filter((name) => name in all);
    return { token: await sign({ ...Object.fromEntries(left), [LEFT_OUT]: leftOut.slice(0, MAX_NAMES) }), leftOut };
  };
  const characters = whole.length;
  if (characters <= usual) return { token: whole, characters, omitted: undefined, leftOut: [] };
  let best: Pick<FittingToken, 'token' | 'leftOut'> = { token: whole, leftOut: [] };
  for (const [index] of repeated.entries())
    if (best.token.length > usual) best = await without(repeated.slice(0, index + 1));
  if (best.token.length <= most) return { ...best, characters, omitted: undefined };
  const ofOthers = Object.keys(contributed).filter((name) => !(name in own));
  if (ofOthers.length > 0) best = await without([...repeated, ...ofOthers]);
  if (best.token.length <= most) return { ...best, characters, omitted: 'contributed' };
  return { ...(await without(Object.keys({ ...own, ...contributed }))), characters, omitted: 'all' };
}
