import type { INestApplicationContext } from '@nestjs/common';
import { declaredSeams, type Filled } from '../foundation/extension/seam.js';
import { ExtKinds } from '../idp/ext-kinds.js';

/** What parts of extensions say about themselves, once they exist: each mistake in a sentence with its remedy. */
export function partMistakes(services: INestApplicationContext): string[] {
  const ofSeams = declaredSeams().flatMap((seam) =>
    seam.mistakes(services.get<ReadonlyArray<Filled<unknown>>>(seam.token)),
  );
  return [...ofSeams, ...services.get(ExtKinds, { strict: false }).mistakes()];
}
