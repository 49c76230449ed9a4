import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '../org/instance/instance.module.js';
import { OrgModule } from '../org/org.module.js';
import { PolicyModule } from '../org/policy/policy.module.js';
import { ClientModule } from '../project/client/client.module.js';
import { ProjectModule } from '../project/project.module.js';
import { UserGrantModule } from '../project/user-grant/user-grant.module.js';
import { AuthRequestModule } from '../session/auth-request/auth-request.module.js';
import { PermissionModule } from '../user/permission/permission.module.js';
import { UserModule } from '../user/user.module.js';
import { AccessTokens } from './access-tokens.js';
import { AssertionUse } from './assertion-use.js';
import { AudienceRules } from './audience-rules.js';
import { ContributedClaims } from './claims/contributed-claims.js';
import { ScopeRules } from './claims/scope.js';
import { Urn } from './claims/urn.js';
import { CodeRedemption } from './code-redemption.js';
import { ActingUsers } from './exchange/acting-users.js';
import { GivenTokens } from './exchange/given-tokens.js';
import { Impersonations } from './exchange/impersonations.js';
import { TokenExchanges } from './exchange/token-exchanges.js';
import { GrantedUsers } from './granted-users.js';
import { IdTokens } from './id-token.js';
import { IdTokenHints } from './id-token-hint.js';
import { KeyModule } from './key/key.module.js';
import { PersonalAccessToken } from './personal-access-token.entity.js';
import { PersonalAccessTokens } from './personal-access-tokens.js';
import { PresentedTokens } from './proof/presented-token.js';
import { ProofNonces } from './proof/proof-nonces.js';
import { ProofsOfKeys } from './proof/proofs-of-keys.js';
import { SpentProof } from './proof/spent-proof.entity.js';
import { RefreshTokens } from './refresh-tokens.js';
import { SignedUserinfo } from './signed-userinfo.js';
import { SpentAssertion } from './spent-assertion.entity.js';
import { SubjectReader } from './subject-reader.js';
import { TokenAnswers } from './token-answers.js';
import { TokenEnd } from './token-end.entity.js';
import { TokenEnds } from './token-ends.js';
import { TokenFamily } from './token-family.entity.js';
import { TokenFamilyRepository } from './token-family.repository.js';
import { TokenIssuer } from './token-issuer.js';
import { TokenPreviews } from './token-previews.js';
import { TokenReader } from './token-reader.js';
import { TokenStatus } from './token-status.js';
import { UserApplications } from './user-applications.js';
import { UserRefreshTokens } from './user-refresh-tokens.js';

const services = [
  AccessTokens,
  AssertionUse,
  AudienceRules,
  CodeRedemption,
  ContributedClaims,
  GrantedUsers,
  IdTokenHints,
  IdTokens,
  Impersonations,
  PersonalAccessTokens,
  PresentedTokens,
  ProofsOfKeys,
  RefreshTokens,
  ScopeRules,
  SignedUserinfo,
  SubjectReader,
  TokenAnswers,
  TokenEnds,
  TokenExchanges,
  TokenIssuer,
  TokenPreviews,
  TokenReader,
  Urn,
  UserApplications,
  UserRefreshTokens,
];

@Module({
  imports: [
    AuthRequestModule,
    ClientModule,
    InstanceModule,
    KeyModule,
    OrgModule,
    PermissionModule,
    PolicyModule,
    ProjectModule,
    UserGrantModule,
    UserModule,
    TypeOrmModule.forFeature([PersonalAccessToken, SpentAssertion, SpentProof, TokenEnd, TokenFamily]),
  ],
  providers: [...services, ActingUsers, GivenTokens, ProofNonces, TokenFamilyRepository, TokenStatus],
  exports: services,
})
export class TokenModule {}
