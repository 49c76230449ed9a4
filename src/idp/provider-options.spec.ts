import { describe, expect, it } from '@jest/globals';
import { createsAtOnce, mayCreate } from './provider-options.js';

describe('Whether a provider makes accounts', () => {
  it.each<[boolean | null, boolean, boolean, boolean]>([
    [null, false, false, false],
    [null, true, true, true],
    [false, false, false, false],
    [false, true, false, false],
    [true, false, true, false],
    [true, true, true, true],
  ])('with isCreationAllowed %s and autoRegister %s [IDP-046]', (isCreationAllowed, autoRegister, may, atOnce) => {
    const idp = { isCreationAllowed, autoRegister };
    expect([mayCreate(idp), createsAtOnce(idp)]).toEqual([may, atOnce]);
  });
});
