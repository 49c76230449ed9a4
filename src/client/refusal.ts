import type { Call } from './call.js';
import { ConnectionError, GatehouseError, type InvalidField } from './error.js';

interface Detail {
  readonly id?: string;
  readonly fieldViolations?: readonly InvalidField[];
}

interface Body {
  readonly message?: unknown;
  readonly details?: unknown;
  /** Of OAuth (RFC 6749 §5.2). */
  readonly error?: unknown;
  readonly error_description?: string;
}

/** How much is read of an answer that may come from anything. */
const MAX_CHARACTERS = 1_000_000;

/** What an answer says that is none of success. */
export async function refusalOf(
  { address, operation }: Call,
  answer: Response,
): Promise<GatehouseError | ConnectionError> {
  const { status, headers } = answer;
  const retryAfterSeconds = secondsOf(headers.get('retry-after'));
  const facts = { url: address, operation, status, retryAfterSeconds };
  // Browsers show nothing of a redirect but that it is one.
  if (answer.type === 'opaqueredirect' || status < 400) {
    const to = headers.get('location');
    return new ConnectionError('redirected', `${address} redirects to ${to ?? 'another address'}.`, facts);
  }
  const { message, details, error, error_description: description } = parse(await answer.text());
  if (typeof error === 'string')
    return new GatehouseError({ ...facts, reason: error, message: description ?? error, fields: [], details: [] });
  if (typeof message !== 'string') {
    const strange = `${address} answered ${status}, but not as Gatehouse would.`;
    return new ConnectionError('not_gatehouse', strange, facts);
  }
  const said = (Array.isArray(details) ? details : []) as readonly Detail[];
  const fields = said.flatMap((one) => one.fieldViolations ?? []);
  const reason = said.find(({ id }) => id !== undefined)?.id ?? (fields.length > 0 ? 'request.invalid' : 'unknown');
  return new GatehouseError({ ...facts, reason, message, fields, details: said });
}

function parse(text: string): Body {
  try {
    const value: unknown = text.length > MAX_CHARACTERS ? undefined : JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(seconds, 0);
}
