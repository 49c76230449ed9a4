import { inputMistake } from './input-mistake.js';

/** `refresh` is the token endpoint where a refresh token is used; `token` is all of it. @public */
export type FaultEndpoint = 'token' | 'refresh' | 'userinfo' | 'jwks' | 'discovery' | 'introspection' | 'revocation';
/**
 * `unavailable`: 503, and nothing is done. `slow`: done and answered after a delay. `unreachable`: the connection
 * breaks before anything is done. `lost`: it is done, and the connection breaks before the answer.
 * @public
 */
export type FaultMishap = 'unavailable' | 'slow' | 'unreachable' | 'lost';
/** What is wrong with the tokens of an answer of the token endpoint. @public */
export type TokenFault =
  | 'wrong-audience'
  | 'wrong-issuer'
  | 'wrong-nonce'
  | 'wrong-signature'
  | 'expired-id-token'
  | 'clock-skew';
/** @public */
export type FaultKind = `${FaultEndpoint}-${FaultMishap}` | TokenFault;

/** @public */
export interface FaultOptions {
  /** How often it happens: by default once. */
  readonly times?: number | 'until-reset';
  /** The application to which it happens, by its name in the fixture; by default any. */
  readonly application?: string;
  /** Of a slow answer, in milliseconds; by default 5,000. */
  readonly delayMs?: number;
  /** Of `clock-skew`: by how much the clock of the issuer is ahead, or behind if it is negative; by default 3,600. */
  readonly seconds?: number;
}

/** A fault that was asked for. @public */
export interface ArmedFault {
  readonly kind: FaultKind;
  readonly application: string | undefined;
  /** How often it will happen still. */
  readonly left: number | 'until-reset';
  /** How often it has happened. */
  readonly happened: number;
}

const ENDPOINTS = named<FaultEndpoint>({
  token: true,
  refresh: true,
  userinfo: true,
  jwks: true,
  discovery: true,
  introspection: true,
  revocation: true,
});
const MISHAPS = named<FaultMishap>({ unavailable: true, slow: true, unreachable: true, lost: true });
const TOKEN_FAULTS = named<TokenFault>({
  'wrong-audience': true,
  'wrong-issuer': true,
  'wrong-nonce': true,
  'wrong-signature': true,
  'expired-id-token': true,
  'clock-skew': true,
});

const DELAY_MS = 5_000;
const SKEW_SECONDS = 3_600;
/** Nobody says to them for which application they ask. */
const OF_NOBODY: readonly FaultEndpoint[] = ['jwks', 'discovery'];

/** One fault, until it has happened as often as was asked for. */
export class Fault {
  happened = 0;
  readonly endpoint: FaultEndpoint;
  /** What goes wrong with the request; undefined if it is the tokens. */
  readonly mishap: FaultMishap | undefined;
  readonly delayMs: number;
  readonly seconds: number;
  readonly application: string | undefined;
  private readonly times: number | 'until-reset';

  /** @throws InputMistake */
  constructor(
    readonly kind: FaultKind,
    { times = 1, application, delayMs = DELAY_MS, seconds = SKEW_SECONDS }: FaultOptions,
  ) {
    const found = partsOf(kind);
    if (!found) throw inputMistake(`There is no fault "${kind}". Faults: ${FAULT_KINDS.join(', ')}.`);
    [this.endpoint, this.mishap] = found;
    if (application !== undefined && OF_NOBODY.includes(this.endpoint))
      throw inputMistake(`"${kind}" cannot be limited to an application: requests to that endpoint name none.`);
    if (times !== 'until-reset' && !(Number.isInteger(times) && times > 0))
      throw inputMistake('times must be a positive number, or "until-reset".');
    this.times = times;
    this.application = application;
    this.delayMs = delayMs;
    this.seconds = seconds;
  }

  get isOver(): boolean {
    return this.times !== 'until-reset' && this.happened >= this.times;
  }

  /** @param application by its name; undefined if the request names none that is known */
  isDue(endpoints: readonly FaultEndpoint[], application: string | undefined): boolean {
    if (this.isOver || !endpoints.includes(this.endpoint)) return false;
    return this.application === undefined || this.application === application;
  }

  toArmed(): ArmedFault {
    const { kind, application, happened, times } = this;
    return { kind, application, happened, left: times === 'until-reset' ? times : times - happened };
  }
}

export const FAULT_KINDS: readonly FaultKind[] = [
  ...ENDPOINTS.flatMap((endpoint) => MISHAPS.map((mishap) => `${endpoint}-${mishap}` as const)),
  ...TOKEN_FAULTS,
];

function partsOf(kind: string): [FaultEndpoint, FaultMishap | undefined] | undefined {
  if ((TOKEN_FAULTS as readonly string[]).includes(kind)) return ['token', undefined];
  if (!(FAULT_KINDS as readonly string[]).includes(kind)) return undefined;
  const [endpoint, mishap] = kind.split('-');
  return [endpoint as FaultEndpoint, mishap as FaultMishap];
}

/** The words of a type, all of them. */
function named<Word extends string>(words: Readonly<Record<Word, true>>): readonly Word[] {
  return Object.keys(words) as Word[];
}
