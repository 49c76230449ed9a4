import { describe, expect, it } from '@jest/globals';
import { ServedPaths } from './served-paths.js';

const paths = new ServedPaths(
  ['/', '/ui/login/loginname', '/oauth/v2/token', '/.well-known/openid-configuration', '/scim/v2/Users/:id'],
  ['service.admin.v1.AdminService'],
);

describe('Beside another application, a path is of Gatehouse', () => {
  it.each([
    '/ui/login/loginname',
    '/ui/unknown',
    '/UI/login',
    '/oauth',
    '/scim/v2/Users/1',
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/',
    '/service.admin.v1.AdminService/Healthz',
  ])('if it begins as one of its routes does: %s', (path) => {
    expect(paths.include(path)).toBe(true);
  });

  it.each([
    '/',
    '',
    '/uis',
    '/shop/ui',
    '/.well-known',
    '/.well-known/security.txt',
    '/.well-known/openid',
    '*',
    '//ui',
  ])('and %s is of the other one', (path) => {
    expect(paths.include(path)).toBe(false);
  });
});
