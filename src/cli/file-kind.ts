import { Tokenizer, TokenType } from '@streamparser/json';
import { CommandError } from './command/command-error.js';

/** A file may also contain a whole request, as written by tools that convert from other services. */
const REQUEST = /^(timeout|dry_?run|on_?conflict|send_?init_?mails|data_?orgs(v1)?)$/i;

/** What the beginning of a file shows of its first object. */
interface Outline {
  /** Whether it is in a list, or other objects follow it. */
  readonly isList: boolean;
  /** The names of its members, as far as the beginning shows them. */
  readonly members: readonly string[];
  /** Whether it ends within the beginning. */
  readonly isWhole: boolean;
}

/**
 * Whether a file contains a whole request rather than a document, by its beginning.
 * @throws CommandError for anything else, with advice
 */
export function isRequest(beginning: Buffer): boolean {
  const outline = outlineOf(beginning);
  if (outline === undefined) throw noDocument();
  const { isList, members, isWhole } = outline;
  if (!isList && REQUEST.test(members[0] ?? '')) return true;
  if (!isList && members.includes('orgs')) return false;
  const has = (...names: readonly string[]): boolean => names.some((name) => members.includes(name));
  if (has('realm')) {
    throw new CommandError(
      'This is a Keycloak export. Convert it first: gatehouse convert keycloak FILE --output document.json.gz',
    );
  }
  if (has('passwordHash')) {
    throw new CommandError(
      'This is a file of password hashes from Auth0. Convert it together with the users: gatehouse convert auth0 USERS --passwords FILE',
    );
  }
  if (has('user_id', 'identities', 'email', 'custom_password_hash')) {
    throw new CommandError(
      'This is a user export from Auth0. Convert it first: gatehouse convert auth0 FILE --org-name NAME --output document.json.gz',
    );
  }
  if (isList) throw noDocument();
  if (isWhole)
    throw new CommandError(
      'The file contains no organizations: a document has them in "orgs", as written by gatehouse export.',
    );
  return false;
}

function noDocument(): CommandError {
  return new CommandError('This is not a valid document: it must be a JSON object, as written by gatehouse export.');
}

/** Undefined if the text does not begin with a JSON object. */
function outlineOf(beginning: Buffer): Outline | undefined {
  const members: string[] = [];
  let [isList, isWhole, depth, last] = [false, false, 0, ''];
  let [hasObject, isOver] = [false, false];
  const tokenizer = new Tokenizer();
  tokenizer.onError = () => undefined;
  tokenizer.onEnd = () => undefined;
  tokenizer.onToken = ({ token, value }) => {
    if (isOver) return;
    if (token === TokenType.LEFT_BRACKET && depth === 0) isList = true;
    const level = isList ? 2 : 1;
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth += 1;
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth -= 1;
    if (token === TokenType.LEFT_BRACE && depth === level) hasObject = true;
    if (token === TokenType.COLON && depth === level) members.push(last);
    last = token === TokenType.STRING ? String(value) : '';
    isWhole = hasObject && depth < level;
    // A list that begins with something else, or a text: the rest does not matter.
    isOver = isWhole || (!hasObject && !(token === TokenType.LEFT_BRACKET && depth === 1));
  };
  try {
    tokenizer.write(beginning);
  } catch {
    // Errors are found and reported when the whole file is read.
  }
  return hasObject ? { isList, members, isWhole } : undefined;
}
