import { Moment, Parts, Text } from 'gatehouse/admin';

export class SigningCertificate {
  @Text(1, { description: 'ID of the certificate.' })
  readonly certificateId!: string;

  @Text(2, {
    description: '`current`: it signs. `next`: it is announced in the metadata, and signs after the rotation.',
  })
  readonly state!: string;

  @Text(3, { description: 'The certificate in PEM.' })
  readonly certificate!: string;

  @Text(4, { description: 'Its SHA-256, in lower case without colons.' })
  readonly fingerprint!: string;

  @Moment(5, { description: 'Until when it is valid. It signs beyond that as well, until it is rotated.' })
  readonly notAfter!: Date;
}

export class SigningCertificates {
  @Parts(1, () => SigningCertificate)
  readonly result!: readonly SigningCertificate[];
}
