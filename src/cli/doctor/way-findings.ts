import type { Config } from '../../foundation/config/config.js';
import { Clock } from '../../foundation/time/clock.js';
import { TimeLimit } from '../../foundation/time/time-limit.js';
import type { Finding } from './finding.js';

const DISCOVERY = '/.well-known/openid-configuration';
const LIMIT_MS = 10_000;
const CHECK_THE_WAY = 'Check that this machine reaches the proxy, and firewalls.';
/** RFC 9110 §5.6.7: the header has whole seconds. */
const MAX_CLOCK_SECONDS = 3;

/** What applications and users see through PUBLIC_URL: TLS, the proxy, the service behind it. */
export async function examineWay(
  { issuer }: Pick<Config, 'issuer'>,
  signal: AbortSignal,
  limitMs = LIMIT_MS,
): Promise<Finding[]> {
  const subject = 'PUBLIC_URL';
  const url = `${issuer.publicUrl}${DISCOVERY}`;
  using limit = new TimeLimit(limitMs); // of the body as well, which is read below
  let answer: Response;
  try {
    answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.any([signal, limit.signal]) });
  } catch (error) {
    if (limit.signal.aborted) return [late(url, limitMs)];
    return [
      { state: 'wrong', subject, finding: `${url} cannot be fetched: ${reasonOf(error)}`, remedy: remedyFor(error) },
    ];
  }
  const found = await issuerOf(answer);
  if (limit.signal.aborted) return [late(url, limitMs)];
  if (found !== issuer.publicUrl) {
    const finding =
      found === undefined
        ? `${url} answers ${answer.status}, but not with the discovery document.`
        : `The service there says that it is ${found}.`;
    const remedy = 'Let the proxy forward every path to Gatehouse, and give all processes the same PUBLIC_URL.';
    return [{ state: 'wrong', subject, finding, remedy }];
  }
  return [
    { state: 'fine', subject, finding: `${url} is served, with this issuer.` },
    ...(issuer.isHttps ? ofTransport(answer) : []),
    ...ofClock(answer),
  ];
}

function late(url: string, limitMs: number): Finding {
  const finding = `${url} gives no complete answer within ${limitMs / 1000} s.`;
  return { state: 'wrong', subject: 'PUBLIC_URL', finding, remedy: CHECK_THE_WAY };
}

async function issuerOf(answer: Response): Promise<string | undefined> {
  try {
    const { issuer } = (await answer.json()) as { issuer?: unknown };
    return typeof issuer === 'string' ? issuer : undefined;
  } catch {
    return undefined;
  }
}

function ofTransport({ headers }: Response): Finding[] {
  if (headers.has('strict-transport-security')) return [];
  const remedy = 'Let the proxy pass on the headers of Gatehouse, Strict-Transport-Security among them.';
  return [{ state: 'wrong', subject: 'proxy', finding: 'The proxy removes a security header of the service.', remedy }];
}

function ofClock({ headers }: Response): Finding[] {
  const date = Date.parse(headers.get('date') ?? '');
  const seconds = (date - new Clock().now().getTime()) / 1000;
  if (Number.isNaN(date) || Math.abs(seconds) <= MAX_CLOCK_SECONDS) return [];
  const finding = `The clock behind PUBLIC_URL differs from that of this machine by ${Math.round(seconds)} s.`;
  return [{ state: 'wrong', subject: 'clock', finding, remedy: 'Synchronize all machines with NTP.' }];
}

function causeOf(error: unknown): NodeJS.ErrnoException {
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  return cause ?? (error as NodeJS.ErrnoException);
}

function reasonOf(error: unknown): string {
  const { code, message } = causeOf(error);
  // The code of a DOMException is a number, which says nothing.
  return typeof code === 'string' ? code : message;
}

function remedyFor(error: unknown): string {
  const { code = '' } = causeOf(error);
  if (code === 'ECONNREFUSED') return 'Start the service and the proxy, and check the port.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'Add the name to the DNS.';
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code))
    return 'Install a certificate for this name with its intermediate ones; for an authority of your own set NODE_EXTRA_CA_CERTS.';
  return CHECK_THE_WAY;
}
