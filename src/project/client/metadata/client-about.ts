/** What an application says of itself to users (RFC 7591 §2). Nobody has checked it. */
export interface ClientAbout {
  /** `client_name`, without characters that would change how the text around it reads. */
  readonly name: string;
  /** Web addresses, shown as links. `logo_uri` is not among them: it is neither fetched nor shown. */
  readonly clientUri?: string;
  readonly policyUri?: string;
  readonly tosUri?: string;
}

const MAX_NAME_CHARACTERS = 100;
/** Controls, formats (among them those of direction), surrogates, private use, and separators of lines. */
const UNREADABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/** A name as it can stand in a sentence; undefined if nothing readable is left, or too much. */
export function readableName(text: string): string | undefined {
  // Checked before any work on the text: strangers choose its length.
  if (text.length > 4 * MAX_NAME_CHARACTERS) return undefined;
  const name = text.normalize('NFC').replace(UNREADABLE, ' ').replace(/\s+/gu, ' ').trim();
  return name === '' || [...name].length > MAX_NAME_CHARACTERS ? undefined : name;
}
