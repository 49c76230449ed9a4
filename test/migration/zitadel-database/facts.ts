import { generateKeyPairSync } from 'node:crypto';
import { hashSync } from '@node-rs/bcrypt';
import { FLAGS } from '../../support/authenticator.js';
import { madeElsewhere } from '../passkey-documents.js';

export const PASSWORD = 'Correct-Horse-7';
export const WEB_SECRET = 'Zk3vS0pQbWQ1xT8rYc5uJd2nLh7eAf4gKq9sWd0xCv6bNm3zLp8rTy5uIo2aSd7f';
export const SYNC_SECRET = 'Hn7jKm3pQw9eRt5yUi1oPa8sDf4gHj6kLz2xCv0bNm5qWe7rTy3uIo9pAs1dFg6h';
export const TOTP_SEED = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
export const IDP_SECRET = 'the-secret-at-the-provider';
export const GOOGLE_SECRET = 'GOCSPX-the-secret-at-google';
export const RECOVERY_CODE = 'k3v9s-0pqbw';

export const INSTANCE = '840000000000000001';
export const ORG = '840000000000000101';
export const PARTNER = '840000000000000102';
export const IDS = {
  systemProject: '840000000000000010',
  project: '840000000000000201',
  grant: '840000000000000301',
  web: '840000000000000401',
  spa: '840000000000000402',
  api: '840000000000000403',
  saml: '840000000000000404',
  oidc: '840000000000000501',
  google: '840000000000000502',
  github: '840000000000000503',
  entra: '840000000000000504',
  directory: '840000000000000505',
  ilse: '840000000000000601',
  dora: '840000000000000602',
  karl: '840000000000000603',
  pia: '840000000000000604',
  nele: '840000000000000605',
  bodo: '840000000000000606',
  emil: '840000000000000607',
  fritz: '840000000000000608',
  piet: '840000000000000609',
  sync: '840000000000000701',
} as const;

export const TENANT = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490';
export const BIND_PASSWORD = 'the-password-of-the-reader';
/** Of a service provider that asks for nothing. */
export const WIKI_METADATA = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://wiki.example/saml">
  <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <AssertionConsumerService index="0" isDefault="true" Location="https://wiki.example/saml/acs"
      Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"/>
  </SPSSODescriptor>
</EntityDescriptor>`;

/** The key pair of the service user. */
export const SYNC_KEY = generateKeyPairSync('rsa', { modulusLength: 2_048 });
/** Of a person without a password, with an authenticator that does not say whether it is backed up. */
export const PASSKEY = madeElsewhere(IDS.pia, FLAGS.present | FLAGS.verified);

const BCRYPT_COST = 4;

/** Cheap: the service is free in its choice. */
export const slow = (text: string): string => hashSync(text, { cost: BCRYPT_COST });
