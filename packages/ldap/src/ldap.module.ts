import { Module } from '@nestjs/common';
import { LdapKind } from './ldap.kind.js';

@Module({ providers: [LdapKind] })
export class LdapModule {}
