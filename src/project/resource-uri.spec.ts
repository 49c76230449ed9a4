import { describe, expect, it } from '@jest/globals';
import { resourceKeyOf, resourceProblem } from './resource-uri.js';

describe('The URI of a resource (RFC 8707 §2)', () => {
  it.each([
    ['https://mcp.example.com/', 'https://mcp.example.com/'],
    ['https://mcp.example.com', 'https://mcp.example.com/'],
    ['HTTPS://MCP.Example.COM/Path', 'https://mcp.example.com/Path'],
    ['https://mcp.example.com:8443/mcp', 'https://mcp.example.com:8443/mcp'],
    ['https://mcp.example.com?tenant=1', 'https://mcp.example.com/?tenant=1'],
    ['http://localhost:3100/mcp', 'http://localhost:3100/mcp'],
    ['urn:example:files', 'urn:example:files'],
    ['api://timesheets', 'api://timesheets'],
  ])('%s is compared as %s', (uri, key) => {
    expect(resourceKeyOf(uri)).toBe(key);
  });

  it.each([
    '',
    'mcp.example.com',
    '/mcp',
    '//mcp.example.com/',
    'https:',
    'https://',
    'https:mcp.example.com',
    'https://user@mcp.example.com/',
    'https://mcp.example.com/#',
    'https://mcp.example.com/#part',
    'https://mcp.example.com/a b',
    'https://mcp.example.com/é',
    'https://mcp.example.com/\u0000',
    'urn:',
    `https://mcp.example.com/${'a'.repeat(500)}`,
  ])('%j is none', (uri) => {
    expect(resourceKeyOf(uri)).toBeUndefined();
  });

  it.each([
    'javascript:x',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://a.test/1',
    'http://files.example.com/',
    'http://127.0.0.1.evil.test/',
    'http://localhost.evil.test/',
    'http://192.168.0.1/',
    'ftp://files.example.com/',
    'JAVASCRIPT:x',
  ])('%s cannot be registered, because it names no server or shows the token to a network [RES-058]', (uri) => {
    expect(resourceProblem(uri, 'https://id.test')).toMatch(/https/);
  });

  it.each([
    'https://a.test/',
    'http://localhost:3100/mcp',
    'http://127.0.0.1/',
    'http://[::1]:80/',
    'urn:example:a',
    'api://a',
  ])('%s can be registered', (uri) => {
    expect(resourceProblem(uri, 'https://id.test')).toBeUndefined();
  });

  it('of this service cannot be registered', () => {
    expect(resourceProblem('https://ID.test/oauth/v2/token', 'https://id.test')).toMatch(/this service/);
    expect(resourceProblem('https://id.test', 'https://id.test')).toMatch(/this service/);
    expect(resourceProblem('https://id.test.evil.test/', 'https://id.test')).toBeUndefined();
    expect(resourceProblem('#', 'https://id.test')).toMatch(/absolute URI/);
  });
});
