import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Controller, Post } from '@nestjs/common';
import { docsLink } from '../admin/kit/docs-link.js';
import { type KnownOperation, operationsOf } from '../admin/kit/grpc/known-operation.js';
import { Operation } from '../admin/kit/operation.js';
import { DetailsResponse } from '../admin/kit/wire/details.dto.js';
import { OrgMemberController } from '../admin/member/org-member.controller.js';
import { OrgController } from '../admin/org/org.controller.js';
import { UserController } from '../admin/user/user.controller.js';
import type { ApiDocument } from './site/document.js';
import { readOperationLink } from './site/operation-link.js';

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as ApiDocument;

@Controller('management/v1/ext/hr')
class Employees {
  @Post('employees/_count')
  @Operation({ id: 'CountEmployees', summary: 'Count', returns: DetailsResponse, ofExtension: true })
  count(): void {
    // Only its declaration counts.
  }
}

const known = new Map(
  [UserController, OrgController, OrgMemberController, Employees]
    .flatMap((controller) => operationsOf(controller, undefined))
    .map((operation) => [operation.facts.id, operation]),
);
const operation = (id: string): KnownOperation => known.get(id)!;

/** What the page makes of the link. */
const received = (link: string): unknown => {
  const { route, parameters, body } = readOperationLink(link.slice('/docs'.length), document)!;
  const values = parameters.map(({ place, name, value }) => [`${place}.${name}`, value]);
  return { id: route.operation.operationId, ...Object.fromEntries(values), ...(body ? { body } : {}) };
};

describe('Links to operations at /docs', () => {
  it('stand under the heading of the operation, with their values in the fragment', () => {
    expect(docsLink(operation('UnlockUser'), { id: '123' }, '456')).toBe('/docs#/Users/UnlockUser?id=123&x-org=456');
    expect(docsLink(operation('UnlockUser'), {})).toBe('/docs#/Users/UnlockUser');
  });

  it('fill in on the page what they were made of', () => {
    expect(received(docsLink(operation('UnlockUser'), { id: '123' }, '456'))).toEqual({
      id: 'UnlockUser',
      'path.id': '123',
      'header.x-service-orgid': '456',
    });
    expect(received(docsLink(operation('AddOrgMember'), { userId: '1', roles: ['A', 'B & #?=+%"<'] }))).toEqual({
      id: 'AddOrgMember',
      body: { userId: '1', roles: ['A', 'B & #?=+%"<'] },
    });
  });

  it.each(["o'brien", 'a&id=2', 'a#b', 'a/b?c', '100 %', '%2e%2e', '+', 'Ärger 😀', '"><script>x()</script>'])(
    'keep the value %j',
    (value) => {
      const link = docsLink(operation('IsUserUnique'), { userName: value });
      expect(link).toMatch(/^\/docs#[\x21-\x7e]+$/);
      expect(link).not.toMatch(/["<>]/);
      expect(received(link)).toEqual({ id: 'IsUserUnique', 'query.userName': value });
    },
  );

  it('lead to operations of extensions by the names that those have there', () => {
    expect(docsLink(operation('CountEmployees'), {})).toBe('/docs#/Extension%20hr/hr.CountEmployees');
  });

  it('are not made of what the operation does not declare', () => {
    expect(() => docsLink(operation('UnlockUser'), { userId: '1' })).toThrow('No link fills in userId of UnlockUser.');
    expect(() => docsLink(operation('ListUsers'), { queries: ['1'] })).toThrow('No link fills in queries');
    expect(() => docsLink(operation('ListOrgs'), {}, '1')).toThrow('ListOrgs takes no organization.');
  });
});
