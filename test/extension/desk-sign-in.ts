import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Delete, Get, Injectable, Module, Param, Post, Req, Res } from '@nestjs/common';
import { AdminRoutes } from '../../src/extension/facade/admin/admin-routes.js';
import { Asking, Requires } from '../../src/extension/facade/admin/operation.js';
import { FormBody, type FormFields, JsonBody, Open } from '../../src/extension/facade/admin/routes.js';
import type { Caller } from '../../src/extension/facade/caller.js';
import { Database } from '../../src/extension/facade/database.js';
import { GatehouseServices } from '../../src/extension/facade/gatehouse-services.js';
import { ManagedApplications } from '../../src/extension/facade/managed-applications.js';
import { Pages } from '../../src/extension/facade/pages.js';
import { SignIns, type SignInWish } from '../../src/extension/facade/sign-ins.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import type { JsonObject } from '../../src/foundation/outbound/outbound-client.js';
import { PROTOCOL, type ProtocolTurn, type SignInProtocol } from '../../src/session/auth-request/ext-protocol.js';

/** Where the answers of applications go. */
export const DESK = 'https://desk.test/welcome';

/** Tells the application who has signed in, in a form or in an address. */
@Injectable()
export class DeskProtocol implements SignInProtocol {
  /** What it does next instead of its work. */
  static instead: ((response: ServerResponse) => Promise<void>) | undefined;
  static turns: ProtocolTurn[] = [];
  readonly name = 'desk';

  constructor(private readonly pages: Pages) {}

  async answer(turn: ProtocolTurn, request: IncomingMessage, response: ServerResponse): Promise<void> {
    DeskProtocol.turns.push(turn);
    if (DeskProtocol.instead) return DeskProtocol.instead(response);
    const { outcome, state } = turn;
    const said: Record<string, string> =
      outcome.kind === 'signed-in' ? { user: outcome.signedIn.user.userName } : { refused: outcome.reason };
    if (state['form'] === true) return this.pages.post(request, response, { action: DESK, fields: said });
    this.pages.redirect(request, response, `${DESK}?${new URLSearchParams(said).toString()}`);
  }
}

@Controller('desk')
class DeskController {
  constructor(
    private readonly applications: ManagedApplications,
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly signIns: SignIns,
  ) {}

  @Get('sign-in/:application')
  @Open()
  async enter(
    @Req() request: IncomingMessage & { readonly url: string },
    @Res() response: ServerResponse,
    @Param('application') applicationId: string,
  ): Promise<void> {
    const { prompt, age, two, hint, ...state } = Object.fromEntries(new URL(request.url, 'http://any').searchParams);
    await this.signIns.begin(request, response, {
      protocol: 'desk',
      applicationId,
      state: { ...state, ...(state['form'] === undefined ? {} : { form: true }) },
      returnUri: DESK,
      ...(prompt === undefined ? {} : { prompt: prompt as NonNullable<SignInWish['prompt']> }),
      ...(age === undefined ? {} : { maxAgeSeconds: Number(age) }),
      ...(hint === undefined ? {} : { loginHint: hint }),
      secondFactor: two !== undefined,
    });
  }

  @Post('sign-out')
  @Open()
  async leave(
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
    @FormBody() form: FormFields,
  ): Promise<void> {
    const sessions = await this.signIns.sessionsOf(request);
    const own = sessions.filter(({ userId }) => userId === form.find('user'));
    if (own.length === 0) return this.pages.refuse(request, response, 'invalid-request', form.find('user'));
    await this.signIns.end(own.map(({ id }) => id));
    this.pages.redirect(request, response, DESK);
  }

  @Get('issuer')
  @Open()
  issuer(): object {
    return { issuer: this.signIns.issuer };
  }

  @Post(':projectId/applications')
  @Requires('project.app.write')
  async add(
    @Asking() caller: Caller,
    @Param('projectId') projectId: string,
    @JsonBody() body: unknown,
  ): Promise<object> {
    const { name, fails } = body as JsonObject;
    return this.database.transaction(async (tx) => {
      const added = await this.applications.add(caller, { projectId, name: String(name) }, tx);
      await tx.query('INSERT INTO ext_desk.application (client_id) VALUES (:id)', { id: added.id });
      if (fails === true) throw new Error('a later step fails');
      return added;
    });
  }

  @Get(':projectId/applications/:applicationId')
  @Requires('project.app.read')
  find(
    @Asking() caller: Caller,
    @Param('projectId') projectId: string,
    @Param('applicationId') applicationId: string,
  ): Promise<object> {
    return this.applications.find(caller, { projectId, applicationId });
  }

  @Delete(':projectId/applications/:applicationId')
  @Requires('project.app.delete')
  async remove(
    @Asking() caller: Caller,
    @Param('projectId') projectId: string,
    @Param('applicationId') applicationId: string,
  ): Promise<object> {
    await this.applications.remove(caller, { projectId, applicationId });
    return {};
  }
}

@Module({
  imports: [GatehouseServices, AdminRoutes],
  controllers: [DeskController],
  providers: [DeskProtocol],
})
class DeskModule {}

/** Applications that are told who has signed in, without any OAuth. */
export const desk = defineExtension({
  id: 'desk',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: DeskModule,
  paths: ['desk'],
  provides: [provide(PROTOCOL, DeskProtocol)],
  schemaChanges: [
    {
      name: '1-application',
      up: 'CREATE TABLE application (client_id text PRIMARY KEY REFERENCES client (id) ON DELETE CASCADE)',
    },
  ],
});
