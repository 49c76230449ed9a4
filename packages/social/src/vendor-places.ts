import { Injectable } from '@nestjs/common';

/** Where the vendors are that have one place in the world. Each is an issuer as well (OIDC Core §2). */
@Injectable()
export class VendorPlaces {
  readonly google: string = 'https://accounts.google.com';
  readonly apple: string = 'https://appleid.apple.com';
}
