import { ConnectionError, GatehouseError } from '../client/index.js';
import { CommandError, EXIT } from './command/command-error.js';

const REMEDY: Readonly<Record<number, string>> = {
  401: ' Create a new personal access token and give it as GATEHOUSE_TOKEN or --token-file.',
  403: ' Use the token of a member who has this permission; exports and imports require the role IAM_OWNER.',
};

export function interrupted(): CommandError {
  return new CommandError('Interrupted.', EXIT.interrupted);
}

/** A refusal by the service itself: trying again does not help. */
export function isFinal(error: unknown): error is GatehouseError {
  return error instanceof GatehouseError && error.status < 500 && error.status !== 429;
}

/**
 * What has become of a call, and what to do about it, in the words of the command; other errors as they are.
 */
export function inWords(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof GatehouseError) {
    const faults = error.fields.map(({ field, description }) => `${field}: ${description}`);
    // The message names the first one, so a single one needs no list.
    const details = faults.length === 1 ? [] : faults;
    return new CommandError(`${error.message}${REMEDY[error.status] ?? ''}`, EXIT.failed, details);
  }
  if (error instanceof ConnectionError) return connectionInWords(error);
  return signal.aborted && error === signal.reason ? interrupted() : error;
}

function connectionInWords({ problem, message, url, cause }: ConnectionError): CommandError {
  if (problem === 'redirected') return new CommandError(`${message} Give that address as --url.`);
  if (problem === 'not_gatehouse') return new CommandError(`${message} Check --url.`);
  const causes = causesOf(cause);
  // What was to be sent could not be read.
  const own = causes.find((one) => one instanceof CommandError);
  if (own) return own;
  const { code = '', message: said = '' } = (causes.at(-1) ?? {}) as Partial<NodeJS.ErrnoException>;
  if (code === 'ECONNREFUSED')
    return new CommandError(`Nothing listens at ${url}. Is the service running, and is --url right?`);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new CommandError(`The host name ${new URL(url).hostname} cannot be resolved. Check --url.`);
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code)) {
    return new CommandError(
      `The certificate of ${url} is not trusted (${code}). If you use your own certificate authority, name its certificate in NODE_EXTRA_CA_CERTS.`,
    );
  }
  if (/^(EPROTO|ERR_SSL_)/.test(code)) return new CommandError(`${url} does not support TLS. Did you mean http?`);
  return new CommandError(`The connection to ${url} was lost (${code === '' ? said : code}).`);
}

/** From the outermost: fetch wraps what the network says. */
function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
