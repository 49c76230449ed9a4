import { describe, expect, it } from '@jest/globals';
import { BASE_URL, DOMAIN, ENDPOINT } from './settings-forms.js';

describe('The form of a setting', () => {
  it.each<[string, (text: string) => boolean, readonly string[], readonly string[]]>([
    [
      'a domain',
      DOMAIN.fits,
      ['acme.example', 'a.b-c.example', 'xn--bcher-kva.example'],
      ['Acme.example', 'acme', 'acme.example.', '-a.example', 'a_b.example', ' acme.example', '*.acme.example'],
    ],
    [
      'a base address',
      BASE_URL.fits,
      ['https://git.acme.example', 'https://acme.example/git', 'http://127.0.0.1:8080'],
      [
        'https://acme.example/',
        'acme.example',
        'https://a@acme.example',
        'https://acme.example?a',
        'ftp://acme.example',
      ],
    ],
    [
      'an endpoint',
      ENDPOINT.fits,
      ['https://acme.example/oauth/token', 'https://acme.example/token?tenant=a'],
      ['https://acme.example/#a', 'https://a:b@acme.example', 'javascript:alert(1)', 'https://acme example'],
    ],
  ])('of %s', (_, fits, right, wrong) => {
    expect([right.filter((text) => !fits(text)), wrong.filter((text) => fits(text))]).toEqual([[], []]);
  });
});
