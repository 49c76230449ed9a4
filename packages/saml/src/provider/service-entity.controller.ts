import { Controller, Get, Header, NotFoundException, Param } from '@nestjs/common';
import { Open } from 'gatehouse/admin';
import { Certificates } from '../certificate/certificates.js';
import { BASE_PATH, OurEntity } from '../entity/our-entity.js';
import { writeServiceProvider } from '../metadata/write-metadata.js';

/** As ids of providers are. Whether there is such a provider is nobody's business. */
const PROVIDER_ID = /^[\w-]{1,200}$/;

/** What identity providers read of us. Each of them knows an entity of its own. */
@Controller(`${BASE_PATH}/sp`)
export class ServiceEntityController {
  constructor(
    private readonly entity: OurEntity,
    private readonly certificates: Certificates,
  ) {}

  @Get(':providerId/metadata')
  @Open()
  @Header('Content-Type', 'application/samlmetadata+xml; charset=utf-8')
  async metadata(@Param('providerId') providerId: string): Promise<string> {
    if (!PROVIDER_ID.test(providerId)) throw new NotFoundException();
    return writeServiceProvider({
      entityId: this.entity.serviceProviderOf(providerId),
      certificates: await this.certificates.announced(),
      logoutEndpoints: [],
      nameIdFormats: [],
      assertionConsumerUrl: this.entity.consumerOf(providerId),
      // Signed if the provider asks for it, or its administrator here does.
      authnRequestsSigned: false,
    });
  }
}
