import { Module } from '@nestjs/common';
import { defineExtension, IDP_KIND, provide } from 'gatehouse';
import { GithubKind } from './github.kind.js';

@Module({ providers: [GithubKind] })
class GithubModule {}

export default defineExtension({
  id: 'github',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: GithubModule,
  provides: [provide(IDP_KIND, GithubKind)],
});
