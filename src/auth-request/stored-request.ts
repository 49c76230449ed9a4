import { columnsOf, type ValuesOf } from '../foundation/database/columns.js';
import { type BrowserRow, type KnownBrowser, SESSION_COLUMN, toKnownBrowser } from '../session/browser-sessions.js';
import { AuthRequestRow } from './auth-request.entity.js';
import type { AuthRequest, NewAuthRequest } from './auth-request.js';

/** The session that answers a request, with the factors that were checked. */
export interface Answer {
  readonly userId: string;
  readonly sessionId: string;
  readonly authTime: Date;
  readonly amr: readonly string[];
  readonly tokenEpoch: number;
  readonly answeredAt: Date;
  /** Null for the implicit flow, which has no code. */
  readonly codeExpiresAt: Date | null;
}

export interface RequestTimes {
  readonly id: string;
  readonly browserId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A browser, and the requested authorization if it belongs to this browser. */
export interface OpenedRequest {
  readonly browser: KnownBrowser;
  readonly request: AuthRequest | undefined;
}

/** What is stored with a request; the rest is filled in by the login pages. */
export const NEW_PROPERTIES = [
  'id',
  'browserId',
  'clientId',
  'redirectUri',
  'responseType',
  'responseMode',
  'scopes',
  'state',
  'nonce',
  'codeChallenge',
  'prompts',
  'maxAgeSeconds',
  'uiLocales',
  'acrValues',
  'claims',
  'requiredOrgId',
  'requiredUserId',
  'secondFactorRequired',
  'createdAt',
  'expiresAt',
  'loginName',
  'userId',
  'sessionId',
  'authTime',
  'amr',
  'tokenEpoch',
  'answeredAt',
  'codeExpiresAt',
] as const;

export type NewRow = ValuesOf<AuthRequestRow, (typeof NEW_PROPERTIES)[number]>;

/** What the login pages need; what an answer adds is read when the code is redeemed. */
const OPENED_PROPERTIES = [
  'id',
  'clientId',
  'redirectUri',
  'responseType',
  'responseMode',
  'scopes',
  'state',
  'nonce',
  'codeChallenge',
  'prompts',
  'maxAgeSeconds',
  'uiLocales',
  'acrValues',
  'secondFactorRequired',
  'claims',
  'requiredOrgId',
  'requiredUserId',
  'createdAt',
  'expiresAt',
  'loginName',
  'userId',
  'accountChosen',
  'consentGiven',
  'answeredAt',
  'externalLoginId',
  'externalProvedAt',
  'externalOrgId',
  'registrationId',
  'passwordExpiresAt',
  'passwordChangeWanted',
] as const;

export const OPENED_COLUMNS = `b.id AS "browserId", ${SESSION_COLUMN}, ${columnsOf(AuthRequestRow, 'r', OPENED_PROPERTIES)}`;

export type OpenedRow = BrowserRow & Record<string, unknown>;

export function toRow(request: NewAuthRequest, times: RequestTimes, answer?: Answer): NewRow {
  return {
    id: times.id,
    browserId: times.browserId,
    clientId: request.clientId,
    redirectUri: request.redirectUri,
    responseType: request.responseType,
    responseMode: request.responseMode,
    scopes: request.scopes,
    state: request.state ?? null,
    nonce: request.nonce ?? null,
    codeChallenge: request.codeChallenge ?? null,
    prompts: request.prompts,
    maxAgeSeconds: request.maxAgeSeconds ?? null,
    uiLocales: request.uiLocales,
    acrValues: request.acrValues,
    claims: request.claims ?? null,
    requiredOrgId: request.requiredOrgId ?? null,
    requiredUserId: request.requiredUserId ?? null,
    secondFactorRequired: request.secondFactorRequired,
    createdAt: times.createdAt,
    expiresAt: times.expiresAt,
    loginName: request.loginHint ?? null,
    userId: answer?.userId ?? null,
    sessionId: answer?.sessionId ?? null,
    authTime: answer?.authTime ?? null,
    amr: answer?.amr ?? [],
    tokenEpoch: answer?.tokenEpoch ?? 0,
    answeredAt: answer?.answeredAt ?? null,
    codeExpiresAt: answer?.codeExpiresAt ?? null,
  };
}

export function toOpened(rows: readonly OpenedRow[]): OpenedRequest | undefined {
  const browser = toKnownBrowser(rows);
  return browser && { browser, request: toRequest(rows[0]!) };
}

function toRequest(row: OpenedRow): AuthRequest | undefined {
  if (row['id'] === null) return undefined;
  const present = Object.entries(row)
    .filter(([name]) => name !== 'session')
    .map(([name, value]) => [name, value ?? undefined] as const);
  const request = Object.fromEntries(present) as unknown as AuthRequest;
  return { ...request, ...datesOf(request) };
}

/** In JSON, timestamps of a row are strings. */
function datesOf({
  createdAt,
  expiresAt,
  answeredAt,
  externalProvedAt,
  passwordExpiresAt,
}: AuthRequest): Pick<
  AuthRequest,
  'createdAt' | 'expiresAt' | 'answeredAt' | 'externalProvedAt' | 'passwordExpiresAt'
> {
  return {
    createdAt: new Date(createdAt),
    expiresAt: new Date(expiresAt),
    answeredAt: answeredAt && new Date(answeredAt),
    externalProvedAt: externalProvedAt && new Date(externalProvedAt),
    passwordExpiresAt: passwordExpiresAt && new Date(passwordExpiresAt),
  };
}
