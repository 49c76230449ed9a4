import { Module } from '@nestjs/common';
import { NameResolver } from './name-resolver.js';
import { OutboundClient } from './outbound-client.js';

@Module({ providers: [NameResolver, OutboundClient], exports: [OutboundClient] })
export class OutboundModule {}
