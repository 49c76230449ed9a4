import { Module } from '@nestjs/common';
import { CLAIMS, defineExtension, provide } from 'gatehouse';

/** Is there, and is not asked: nobody requests its scope. What it costs is what having an extension costs. */
class IdleClaims {
  scopes = ['idle'];
  claims = ['https://bench.example/idle'];

  async contribute() {
    throw new Error('The benchmark requests the scope idle, which is there to be ignored.');
  }
}

class IdleModule {}
Module({ providers: [IdleClaims] })(IdleModule);

export default defineExtension({
  id: 'idle',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: IdleModule,
  provides: [provide(CLAIMS, IdleClaims)],
});
