import { Module } from '@nestjs/common';
import { NameResolver } from './name-resolver.js';
import { OutboundAddresses } from './outbound-addresses.js';
import { OutboundClient } from './outbound-client.js';
import { OutboundSockets } from './outbound-sockets.js';

@Module({
  providers: [NameResolver, OutboundAddresses, OutboundClient, OutboundSockets],
  exports: [OutboundAddresses, OutboundClient, OutboundSockets],
})
export class OutboundModule {}
