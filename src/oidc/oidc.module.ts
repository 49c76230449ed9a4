import { Module } from '@nestjs/common';

/** EDGE: OAuth 2.0 and OpenID Connect. */
@Module({})
export class OidcModule {}
