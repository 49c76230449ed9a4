import { hasGrantFor, MAX_CLOCK_SKEW_SECONDS, type NewClient } from '../../project/client/client-settings.js';
import { originProblem } from '../../project/client/origin.js';
import { redirectUriProblem } from '../../project/client/redirect-uri.js';
import type { Section } from './part.js';

/*
 * The described system stores applications that it calls non-compliant, with some redirect URIs that it refuses to use
 * and some that it accepts. They are imported with what can work here; each part that is left out is noted.
 */

interface Foreign {
  readonly settings: NewClient;
  /** Where the settings are in the document. */
  readonly at: string;
  readonly faults: Section['faults'];
}

/** The settings of an application as far as they can work here. What is still wrong with them afterwards is a fault. */
export function toFittingClient(settings: NewClient, at: string, faults: Section['faults']): NewClient {
  if (settings.kind !== 'oidc') return settings;
  const inMode = withDevMode({ settings, at, faults });
  const foreign = { settings: inMode, at, faults };
  return {
    ...inMode,
    redirectUris: fittingUris(foreign, 'redirectUris'),
    postLogoutRedirectUris: fittingUris(foreign, 'postLogoutRedirectUris'),
    additionalOrigins: fittingOrigins(foreign),
    responseTypes: fittingResponseTypes(foreign),
    clockSkewSeconds: fittingClockSkew(foreign),
    backChannelLogoutUri: fittingAddress(foreign, 'backChannelLogoutUri', inMode.backChannelLogoutUri ?? ''),
    loginBaseUri: fittingAddress(foreign, 'loginVersion.loginV2.baseUri', inMode.loginBaseUri ?? '') || null,
  };
}

/**
 * The described system lets web applications use http with the authorization code; here, other machines than loopback
 * require development mode.
 */
function withDevMode({ settings, at, faults }: Foreign): NewClient {
  const {
    clientType = 'web',
    devMode = false,
    responseTypes = [],
    redirectUris = [],
    postLogoutRedirectUris = [],
  } = settings;
  if (devMode || clientType !== 'web' || !responseTypes.includes('code')) return settings;
  const isRefused = (uri: string, inDevMode: boolean): boolean =>
    redirectUriProblem(uri, { clientType, devMode: inDevMode }) !== undefined;
  const needsIt = [...redirectUris, ...postLogoutRedirectUris].some(
    (uri) => isRefused(uri, false) && !isRefused(uri, true),
  );
  if (!needsIt) return settings;
  faults.note(`${at}.devMode`, 'is switched on: without it, the http addresses of the application could not be used');
  return { ...settings, devMode: true };
}

function fittingUris({ settings, at, faults }: Foreign, field: 'redirectUris' | 'postLogoutRedirectUris'): string[] {
  const client = { clientType: settings.clientType ?? 'web', devMode: settings.devMode ?? false };
  // The described system treats redirect URIs as patterns in development mode. An application with a client id was
  // exported here, where they never are.
  const hasPatterns = client.devMode && settings.clientId === undefined;
  return (settings[field] ?? []).filter((uri, index) => {
    const pattern = hasPatterns && uri.includes('*') ? 'has a wildcard, and addresses are compared exactly' : undefined;
    const problem = pattern ?? redirectUriProblem(uri, client);
    if (problem !== undefined) faults.note(`${at}.${field}[${index}]`, leftOut(uri, problem));
    return problem === undefined;
  });
}

/** RFC 6454 §6.2: an origin ends with the port. A trailing slash is dropped silently. */
function fittingOrigins({ settings, at, faults }: Foreign): string[] {
  return (settings.additionalOrigins ?? []).flatMap((given, index) => {
    const origin = given.replace(/\/$/, '').toLowerCase();
    const problem = originProblem(origin);
    if (problem === undefined) return [origin];
    faults.note(`${at}.additionalOrigins[${index}]`, leftOut(given, problem));
    return [];
  });
}

function fittingResponseTypes({ settings, at, faults }: Foreign): NonNullable<NewClient['responseTypes']> {
  return (settings.responseTypes ?? []).filter((responseType, index) => {
    const fits = hasGrantFor(responseType, settings.grantTypes ?? []);
    if (!fits)
      faults.note(
        `${at}.responseTypes[${index}]`,
        leftOut(responseType, 'needs a grant type that the application does not have'),
      );
    return fits;
  });
}

function fittingClockSkew({ settings, at, faults }: Foreign): number {
  const { clockSkewSeconds = 0 } = settings;
  if (clockSkewSeconds <= MAX_CLOCK_SKEW_SECONDS) return clockSkewSeconds;
  faults.note(`${at}.clockSkew`, `is ${MAX_CLOCK_SKEW_SECONDS}s here, the longest`);
  return MAX_CLOCK_SKEW_SECONDS;
}

/** Must be web addresses for every kind of application. */
function fittingAddress({ settings, at, faults }: Foreign, field: string, uri: string): string {
  const problem =
    uri === '' ? undefined : redirectUriProblem(uri, { clientType: 'web', devMode: settings.devMode ?? false });
  if (problem === undefined) return uri;
  faults.note(`${at}.${field}`, leftOut(uri, problem));
  return '';
}

const MAX_SHOWN = 200;

function leftOut(value: string, problem: string): string {
  return `${JSON.stringify(value.slice(0, MAX_SHOWN))} is left out: it ${problem}`;
}
