import { Controller, Get, Post } from '@nestjs/common';
import { Asking, type Caller, Operation, Requires } from 'gatehouse/admin';
import { toPem } from '../signature/certificate.js';
import { nextMissing } from './certificate.errors.js';
import { SigningCertificates } from './certificates.dto.js';
import { Certificates } from './certificates.js';

export const READ_CERTIFICATES = 'ext.saml.certificate.read';
export const WRITE_CERTIFICATES = 'ext.saml.certificate.write';

@Controller('admin/v1/ext/saml/certificates')
export class CertificatesController {
  constructor(private readonly certificates: Certificates) {}

  @Get()
  @Requires(READ_CERTIFICATES)
  @Operation({ id: 'ListCertificates', summary: 'List the certificates that sign', returns: SigningCertificates })
  async list(@Asking() _caller: Caller): Promise<SigningCertificates> {
    return this.listed();
  }

  @Post()
  @Requires(WRITE_CERTIFICATES)
  @Operation({
    id: 'AddCertificate',
    summary: 'Announce the next certificate',
    description: 'Makes the next certificate, unless there is one, and shows it in the metadata from then on.',
    returns: SigningCertificates,
  })
  async add(@Asking() caller: Caller): Promise<SigningCertificates> {
    await this.certificates.addNext(caller);
    return this.listed();
  }

  @Post('rotate')
  @Requires(WRITE_CERTIFICATES)
  @Operation({
    id: 'RotateCertificate',
    summary: 'Sign with the next certificate',
    description:
      'From then on the next certificate signs, and the one before is removed. Applications that have not read the next one from the metadata refuse all sign-ins.',
    returns: SigningCertificates,
    refuses: [nextMissing()],
  })
  async rotate(@Asking() caller: Caller): Promise<SigningCertificates> {
    await this.certificates.rotate(caller);
    return this.listed();
  }

  private async listed(): Promise<SigningCertificates> {
    const certificates = await this.certificates.list();
    return {
      result: certificates.map(({ id, state, certificate }) => ({
        certificateId: id,
        state,
        certificate: toPem(certificate),
        fingerprint: certificate.fingerprint,
        notAfter: certificate.notAfter,
      })),
    };
  }
}
