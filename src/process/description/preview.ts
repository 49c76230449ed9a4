import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { AppModule } from '../../app.module.js';
import { buildDocument } from '../../docs/api-document.js';
import { parseConfig } from '../../foundation/config/parse-config.js';
import { ConnectionSettings } from '../../foundation/database/connection-settings.js';
import type { Extension } from '../../foundation/extension/extension.js';
import { described } from '../../foundation/extension/extensions.module.js';
import { Urn } from '../../token/claims/urn.js';

/** The document of a service with the default settings and these extensions, of which nothing runs. */
export async function describePreview(extensions: readonly Extension[] = []): Promise<OpenAPIObject> {
  const config = parseConfig({}, { readFile: () => '', terminal: false });
  const module = AppModule.of(config, new ConnectionSettings({}, 'none'), {}, described(extensions));
  // Named, because Nest looks for it beside itself, and in the package it is not there: it is one of ours
  // (docs/adr/0046).
  const app = await NestFactory.create(module, new ExpressAdapter(), { preview: true, logger: false });
  return buildDocument(app, config.issuer, new Urn(config.issuer), config.firstStart, extensions);
}
