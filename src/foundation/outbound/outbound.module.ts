import { Module } from '@nestjs/common';
import { NameResolver } from './name-resolver.js';
import { OutboundAddresses } from './outbound-addresses.js';
import { OutboundClient } from './outbound-client.js';

@Module({ providers: [NameResolver, OutboundAddresses, OutboundClient], exports: [OutboundAddresses, OutboundClient] })
export class OutboundModule {}
