import { describe, expect, it } from '@jest/globals';
import { deviceOf, shortenedNetwork } from './device.js';

const SAFARI = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

describe('The device of a session', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox', 'Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}`, 'Chrome', 'Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/142.0.0.0`, 'Edge', 'Windows'],
    [`Mozilla/5.0 (Linux; Android 10; K) ${CHROME.replace('Safari', 'Mobile Safari')}`, 'Chrome', 'Android'],
    [`${SAFARI} Version/18.0 Mobile/15E148 Safari/604.1`, 'Safari', 'iPhone'],
    [`${SAFARI} CriOS/142.0 Mobile/15E148 Safari/604.1`, 'Chrome', 'iPhone'],
    ['curl/8.5.0', '', ''],
    ['<img src=x onerror=alert(1)>', '', ''],
  ])('is named in words of our own: %s', (header, agent, system) => {
    expect(deviceOf(header, '203.0.113.9')).toEqual({ agent, system, network: '203.0.113.0' });
  });

  it.each([
    ['203.0.113.77', '203.0.113.0'],
    ['::ffff:203.0.113.77', '203.0.113.0'],
    ['2001:db8:12:3456:1:2:3:4', '2001:db8:12::'],
    ['fe80::1%eth0', 'fe80:0:0::'],
    ['unknown', ''],
  ])('is placed in a network, not at an address: %s', (address, network) => {
    expect(shortenedNetwork(address)).toBe(network);
  });
});
