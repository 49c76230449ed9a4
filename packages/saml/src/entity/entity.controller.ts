import { Controller, Get, Header } from '@nestjs/common';
import { Open } from 'gatehouse/admin';
import { Certificates } from '../certificate/certificates.js';
import { writeIdentityProvider } from '../metadata/write-metadata.js';
import { NAME_ID_FORMAT } from '../protocol/uris.js';
import { toPem } from '../signature/certificate.js';
import { BASE_PATH, OurEntity } from './our-entity.js';

const BINDINGS = ['redirect', 'post'] as const;

/** What applications read of us. */
@Controller(BASE_PATH)
export class EntityController {
  constructor(
    private readonly entity: OurEntity,
    private readonly certificates: Certificates,
  ) {}

  @Get('metadata')
  @Open()
  @Header('Content-Type', 'application/samlmetadata+xml; charset=utf-8')
  async metadata(): Promise<string> {
    return writeIdentityProvider({
      entityId: this.entity.entityId,
      certificates: await this.certificates.announced(),
      signOnEndpoints: BINDINGS.map((binding) => ({ binding, url: this.entity.signOnUrl })),
      logoutEndpoints: BINDINGS.map((binding) => ({ binding, url: this.entity.logoutUrl })),
      nameIdFormats: [NAME_ID_FORMAT.persistent, NAME_ID_FORMAT.emailAddress, NAME_ID_FORMAT.transient],
      wantAuthnRequestsSigned: false,
    });
  }

  /** The one that signs now, for applications that are given a file. */
  @Get('certificate')
  @Open()
  @Header('Content-Type', 'application/x-pem-file')
  @Header('Content-Disposition', 'attachment; filename="saml-certificate.pem"')
  async certificate(): Promise<string> {
    return toPem(await this.certificates.current());
  }
}
