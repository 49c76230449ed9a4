import { Module } from '@nestjs/common';
import { ApplicationSearch } from './application-search.js';
import { EndingCredentials } from './ending-credentials.js';
import { OperationStates } from './operation-states.js';
import { OrgSearch } from './org-search.js';
import { PeopleSearch } from './people-search.js';
import { ProviderStates } from './provider-states.js';

const facts = [ApplicationSearch, EndingCredentials, OperationStates, OrgSearch, PeopleSearch, ProviderStates];

/** USE CASE: what administrators look at first, each in one statement. Reads, and changes nothing. */
@Module({ providers: facts, exports: facts })
export class OverviewFactsModule {}
