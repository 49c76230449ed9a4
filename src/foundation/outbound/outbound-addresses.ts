import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { OutboundConfig } from '../config/config.js';
import { isLoopbackAddress, isPublicAddress, Networks } from '../network/address.js';
import { NameResolver } from './name-resolver.js';
import { addressRefused } from './outbound.errors.js';
import { Shares } from './shares.js';

/**
 * The operating system resolves two names at a time, and cannot be told to stop: the slow name servers of one owner
 * must leave one of the two to everybody else, the connections to our own database among them.
 */
const LOOKUPS_PER_OWNER = 1;

/** The caller that needs the address of a name, and until when. */
export interface LookupFor {
  /** The owner of the configured URL: an organization, or the instance. */
  readonly ownerId: string;
  readonly signal: AbortSignal;
}

/**
 * Decides which addresses may be called on behalf of others: public ones and those of OUTBOUND_ALLOW. The address
 * counts, not the name: it is looked up once, checked, and that very address is dialled.
 */
@Injectable()
export class OutboundAddresses {
  private readonly allowed: Networks;
  private readonly perOwner = new Shares(LOOKUPS_PER_OWNER);

  constructor(
    config: OutboundConfig,
    private readonly names: NameResolver,
  ) {
    this.allowed = new Networks(config.allow);
  }

  /**
   * Checks hosts that are addresses themselves, for which there is no look-up.
   * @throws DomainError FailedPrecondition `outbound.address_refused`
   */
  checkLiteral(url: URL): void {
    // The address without the brackets around IPv6.
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0) this.check(literal, url);
  }

  /** Look-up for connections, which dial exactly the addresses that it returns. */
  lookup(url: URL, asked: () => LookupFor): LookupFunction {
    return (hostname, { all }, callback) => {
      void this.addressesOf(hostname, url, asked()).then(
        (addresses) =>
          all === true ? callback(null, addresses) : callback(null, addresses[0]!.address, addresses[0]!.family),
        (error: unknown) => callback(error as NodeJS.ErrnoException, []),
      );
    };
  }

  /** A single forbidden address refuses the name: one that mixes ours with others is meant to make us call ours. */
  private async addressesOf(hostname: string, url: URL, { ownerId, signal }: LookupFor): Promise<LookupAddress[]> {
    // The place is kept until the look-up has ended, even if the caller has given up: it still occupies a thread.
    const addresses = await this.perOwner.run(ownerId, signal, () => this.names.addressesOf(hostname));
    for (const { address } of addresses) this.check(address, url);
    return addresses;
  }

  private check(address: string, url: URL): void {
    const mayBeCalled = isPublicAddress(address) || this.allowed.has(address);
    const mayBeReadByOthers = url.protocol === 'http:' && !isLoopbackAddress(address);
    if (!mayBeCalled || mayBeReadByOthers) throw addressRefused(url.host, address);
  }
}
