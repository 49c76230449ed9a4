import { ModulesContainer, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { GOOGLE_FILES, STANDARD_SERVICES } from '../../admin/kit/grpc/google-files.js';
import { collectOperations } from '../../admin/kit/grpc/known-operation.js';
import { protoText } from '../../admin/kit/grpc/proto-text.js';
import { serviceProtos } from '../../admin/kit/grpc/service-protos.js';
import { AppModule } from '../../app.module.js';
import { parseConfig } from '../../foundation/config/parse-config.js';
import { ConnectionSettings } from '../../foundation/database/connection-settings.js';
import type { Extension } from '../../foundation/extension/extension.js';
import { described } from '../../foundation/extension/extensions.module.js';

/**
 * The .proto files of a service with the default settings but `URN_WORD`, of which nothing runs, by their paths below
 * proto/.
 */
export async function protoFilesOf(
  urnWord = 'service',
  extensions: readonly Extension[] = [],
): Promise<Map<string, string>> {
  const config = parseConfig({ URN_WORD: urnWord }, { readFile: () => '', terminal: false });
  const app = await NestFactory.create(
    AppModule.of(config, new ConnectionSettings({}, 'none'), {}, described(extensions)),
    new ExpressAdapter(), // as in preview.ts
    {
      preview: true,
      logger: false,
    },
  );
  const ours = serviceProtos(collectOperations(app.get(ModulesContainer)), config.issuer.urnWord);
  return new Map([...GOOGLE_FILES, ...STANDARD_SERVICES, ...ours].map((file) => [file.path, protoText(file)]));
}
