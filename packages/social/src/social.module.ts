import { Module } from '@nestjs/common';
import { AppleKind } from './apple/apple.kind.js';
import { EntraKind } from './entra/entra.kind.js';
import { GithubKind } from './github/github.kind.js';
import { GitlabKind } from './gitlab/gitlab.kind.js';
import { GoogleKind } from './google/google.kind.js';
import { OauthKind } from './oauth/oauth.kind.js';
import { KeptDocuments } from './openid/kept-documents.js';
import { OpenidSignIn } from './openid/openid-sign-in.js';
import { VendorPlaces } from './vendor-places.js';

export const KINDS = [GoogleKind, EntraKind, GithubKind, GitlabKind, AppleKind, OauthKind];

@Module({ providers: [...KINDS, KeptDocuments, OpenidSignIn, VendorPlaces] })
export class SocialModule {}
