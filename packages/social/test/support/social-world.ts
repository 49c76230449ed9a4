import { Module } from '@nestjs/common';
import { defineExtension, type Extension, IDP_KIND, provide } from 'gatehouse';
import { KeptDocuments } from '../../src/openid/kept-documents.js';
import { OpenidSignIn } from '../../src/openid/openid-sign-in.js';
import { KINDS } from '../../src/social.module.js';
import { VendorPlaces } from '../../src/vendor-places.js';

/** Providers that are on this machine may be called. */
export const LOCAL = { OUTBOUND_ALLOW: '127.0.0.1' };

/** The extension, with the vendors that have one place in the world somewhere else. */
export function socialAt(places: VendorPlaces): Extension {
  const module = class SocialThere {};
  Module({
    providers: [...KINDS, KeptDocuments, OpenidSignIn, { provide: VendorPlaces, useValue: places }],
  })(module);
  return defineExtension({
    id: 'social',
    version: '0.1.0',
    gatehouse: '>=0.1.0',
    module,
    provides: KINDS.map((kind) => provide(IDP_KIND, kind)),
  });
}
