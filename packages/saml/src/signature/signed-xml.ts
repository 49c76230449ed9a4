import type { KeyObject } from 'node:crypto';
import { type HashAlgorithm, type SignatureAlgorithm, SignedXml, type SignedXmlOptions } from 'xml-crypto';
import {
  algorithmFor,
  DIGEST_ALGORITHMS,
  digestOf,
  ENVELOPED,
  EXCLUSIVE_C14N,
  isSignedText,
  SIGNATURE_ALGORITHMS,
  signText,
} from './algorithms.js';
import { toPem } from './certificate.js';
import type { SigningKey } from './signing-key.js';

/** xml-crypto that verifies with these keys alone, whatever a document brings along. */
export function verifierWith(keys: readonly [KeyObject, ...KeyObject[]]): SignedXml {
  // It takes one key. Which of them has signed is found by the algorithm.
  const xml = withOurAlgorithms({ publicCert: keys[0], getCertFromKeyInfo: () => null });
  xml.SignatureAlgorithms = byName(SIGNATURE_ALGORITHMS, (name) => verification(name, keys));
  // SAML Core §5.4.2: references mean this one. Each further name is another search through the document.
  xml.idAttributes = ['ID'];
  return xml;
}

/** xml-crypto that signs with this key, and names its certificate. */
export function signerWith({ privateKey, certificate }: SigningKey): SignedXml {
  const algorithm = algorithmFor(privateKey);
  const xml = withOurAlgorithms({
    privateKey,
    publicCert: toPem(certificate),
    signatureAlgorithm: algorithm,
    canonicalizationAlgorithm: EXCLUSIVE_C14N,
  });
  xml.SignatureAlgorithms = { [algorithm]: signing(algorithm, privateKey) };
  return xml;
}

function withOurAlgorithms(options: SignedXmlOptions): SignedXml {
  const xml = new SignedXml(options);
  xml.HashAlgorithms = byName(DIGEST_ALGORITHMS, hashing);
  const { [ENVELOPED]: enveloped, [EXCLUSIVE_C14N]: exclusive } = xml.CanonicalizationAlgorithms;
  xml.CanonicalizationAlgorithms = { [ENVELOPED]: enveloped!, [EXCLUSIVE_C14N]: exclusive! };
  return xml;
}

function verification(name: string, keys: readonly KeyObject[]): new () => SignatureAlgorithm {
  return class implements SignatureAlgorithm {
    getAlgorithmName(): string {
      return name;
    }

    getSignature(): never {
      throw new Error('These keys only verify.');
    }

    verifySignature(text: string, _key: unknown, signature: string): boolean {
      return isSignedText(text, name, Buffer.from(signature, 'base64'), keys);
    }
  };
}

function signing(name: string, privateKey: KeyObject): new () => SignatureAlgorithm {
  return class implements SignatureAlgorithm {
    getAlgorithmName(): string {
      return name;
    }

    getSignature(text: unknown): string {
      return signText(String(text), privateKey);
    }

    verifySignature(): never {
      throw new Error('This key only signs.');
    }
  };
}

function hashing(name: string): new () => HashAlgorithm {
  return class implements HashAlgorithm {
    getAlgorithmName(): string {
      return name;
    }

    getHash(text: string): string {
      return digestOf(text, name);
    }
  };
}

function byName<T>(names: readonly string[], make: (name: string) => T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, make(name)]));
}
