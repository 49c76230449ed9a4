/** SAML Bindings §3.4.3 and §3.5.3 */
export const MAX_RELAY_STATE_BYTES = 80;

/**
 * What goes along with a message. `ours` is limited to 80 octets; `theirs` goes back exactly as it came, also if it is
 * longer, as many service providers' is.
 */
export type RelayState = { readonly ours: string } | { readonly theirs: string };

/** @throws RangeError if ours is too long: a mistake of the caller */
export function relayStateValue(relayState: RelayState): string {
  if ('theirs' in relayState) return relayState.theirs;
  if (Buffer.byteLength(relayState.ours) > MAX_RELAY_STATE_BYTES)
    throw new RangeError(`RelayState is longer than ${MAX_RELAY_STATE_BYTES} bytes.`);
  return relayState.ours;
}
