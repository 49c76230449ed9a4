import { hash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { JwtSigner } from '../../token/key/jwt-signer.js';
import type { KeyService } from '../../token/key/key.service.js';
import type { Fault } from './fault.js';

type Claims = Readonly<Record<string, unknown>>;
type Answer = Readonly<Record<string, unknown>>;

const SOMEBODY_ELSE = 'https://somebody-else.example';
const EXPIRED_SECONDS = 3_600;

/**
 * Changes the tokens in an answer of the token endpoint, and signs them with the key of the service: what is wrong with
 * them is what was asked for, and nothing else.
 */
export class FaultyTokens {
  constructor(private readonly keys: KeyService) {}

  async change(answer: Answer, faults: readonly Fault[]): Promise<Answer> {
    let { access_token: accessToken, id_token: idToken } = answer;
    for (const fault of faults) {
      const before = accessToken;
      if (isJwt(accessToken)) accessToken = await this.changed(accessToken, fault, changeOfAccessToken(fault));
      if (isJwt(idToken)) idToken = await this.changed(idToken, fault, changeOfIdToken(fault));
      if (isJwt(idToken) && accessToken !== before) idToken = await this.rehashed(idToken, String(accessToken), fault);
    }
    return {
      ...answer,
      ...(accessToken === undefined ? {} : { access_token: accessToken }),
      ...(idToken === undefined ? {} : { id_token: idToken }),
    };
  }

  private async changed(token: string, { kind }: Fault, change: (claims: Claims) => Claims): Promise<string> {
    if (kind === 'wrong-signature') return withWrongSignature(token);
    const claims = decodeJwt(token) as Claims;
    const after = change(claims);
    return after === claims ? token : this.signed(token, after);
  }

  /** OIDC Core §3.1.3.6: the ID token says which access token belongs to it. */
  private async rehashed(idToken: string, accessToken: string, { kind }: Fault): Promise<string> {
    const claims = decodeJwt(idToken) as Claims;
    if (kind === 'wrong-signature' || claims['at_hash'] === undefined) return idToken;
    const digest = decodeProtectedHeader(idToken).alg === 'EdDSA' ? 'sha512' : 'sha256';
    const whole = hash(digest, accessToken, 'buffer');
    return this.signed(idToken, { ...claims, at_hash: whole.subarray(0, whole.length / 2).toString('base64url') });
  }

  private async signed(token: string, claims: Claims): Promise<string> {
    const { typ = 'JWT', kid } = decodeProtectedHeader(token);
    const general = await this.keys.signer();
    const signer: JwtSigner = general.keyId === kid ? general : await this.keys.signer('strict');
    return signer.sign(typ, claims);
  }
}

function changeOfIdToken(fault: Fault): (claims: Claims) => Claims {
  if (fault.kind === 'wrong-nonce') return (claims) => ({ ...claims, nonce: 'a nonce that nobody has sent' });
  if (fault.kind === 'expired-id-token')
    return (claims) => moved(claims, -(Number(claims['exp']) - Number(claims['iat']) + EXPIRED_SECONDS));
  return changeOfAccessToken(fault);
}

function changeOfAccessToken({ kind, seconds }: Fault): (claims: Claims) => Claims {
  switch (kind) {
    case 'wrong-audience':
      return ({ azp: _, ...claims }) => ({ ...claims, aud: SOMEBODY_ELSE });
    case 'wrong-issuer':
      return (claims) => ({ ...claims, iss: SOMEBODY_ELSE });
    case 'clock-skew':
      return (claims) => moved(claims, seconds);
    default:
      return (claims) => claims;
  }
}

function moved(claims: Claims, seconds: number): Claims {
  const times = ['iat', 'exp', 'nbf', 'auth_time'].filter((name) => typeof claims[name] === 'number');
  return { ...claims, ...Object.fromEntries(times.map((name) => [name, Number(claims[name]) + seconds])) };
}

function withWrongSignature(token: string): string {
  const dot = token.lastIndexOf('.') + 1;
  return `${token.slice(0, dot)}${token[dot] === 'A' ? 'B' : 'A'}${token.slice(dot + 1)}`;
}

function isJwt(token: unknown): token is string {
  return typeof token === 'string' && /^ey[\w-]*\.[\w-]+\.[\w-]+$/.test(token);
}
