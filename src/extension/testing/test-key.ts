import { type CryptoKey, exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWK } from 'jose';

/** A key of a client or a service user. */
export interface TestKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** A key pair; registering it assigns the `kid`. */
export async function makeKey(
  alg: string,
  makePair: (alg: string) => Promise<GenerateKeyPairResult> = (name) => generateKeyPair(name, { extractable: true }),
): Promise<Omit<TestKey, 'kid'>> {
  const pair = await makePair(alg);
  return { alg, privateKey: pair.privateKey, publicJwk: await exportJWK(pair.publicKey) };
}
