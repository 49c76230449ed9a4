import { Inject, Injectable } from '@nestjs/common';
import { LoadedExtensions } from '../../foundation/extension/extensions.module.js';
import { type PartCall, PartCalls } from '../../foundation/extension/part-calls.js';
import type { Filled } from '../../foundation/extension/seam.js';
import type { Form } from '../../foundation/http/form.js';
import type { ServicePath } from '../../org/instance/paths.js';
import type { ExtStepDecision, ExtStepProps } from '../../page/ext-step.page.js';
import { ExtTexts } from '../../page/part/ext-texts.js';
import type { LoginPage } from '../../page/render.js';
import { withExtStepTaken } from '../../session/auth-request/auth-request.js';
import {
  type LoginStep as ExtLoginStep,
  type ExtStepName,
  extStepName,
  LOGIN_STEP,
  type StepForm,
  type StepResult,
} from '../../session/auth-request/ext-login-step.js';
import { stepUnavailable, toTurn } from '../../session/auth-request/sign-in-decision.js';
import { inputsOf, RESERVED_NAMES, readStepPage, type StepPage } from '../../session/auth-request/step-page.js';
import { again, type LoginStep, learned, type Retry, type StepOutcome } from '../login-step.js';
import type { Visit } from '../visit.js';

const PAGE_LIMIT_MS = 1_000;
const SUBMIT_LIMIT_MS = 5_000;
/** A step that says so often that it is done, and is due again at once, would never let its user go. */
const MOST_TIMES = 3;
const REFUSED_FORM = 400;
const MAX_PROBLEM_CHARACTERS = 1_000;

/** The login steps of extensions, as steps of ours. */
@Injectable()
export class ExtSteps {
  readonly all: readonly LoginStep[];

  constructor(
    @Inject(LOGIN_STEP.token) filled: ReadonlyArray<Filled<ExtLoginStep>>,
    calls: PartCalls,
    loaded: LoadedExtensions,
  ) {
    this.all = filled.map((one) => new ExtStep(one, calls, loaded));
  }
}

/**
 * A login step of an extension: the extension says what is on its page and takes what was filled in. The form, its
 * token, the browser, the turn and the way on are ours, as with any other step.
 */
class ExtStep implements LoginStep<never> {
  readonly step: ExtStepName;
  readonly path: ServicePath;
  readonly reach = 'due';

  constructor(
    private readonly filled: Filled<ExtLoginStep>,
    private readonly calls: PartCalls,
    private readonly loaded: LoadedExtensions,
  ) {
    this.step = extStepName(filled);
    this.path = `/ui/login/${this.step}`;
  }

  async page(visit: Visit, retry?: Retry<never>): Promise<LoginPage | undefined> {
    if (!visit.session) return undefined;
    const times = (visit.request.extStepsTaken ?? []).filter((taken) => taken === this.step).length;
    if (times >= MOST_TIMES)
      throw stepUnavailable(
        this.calls.fail(this.call(PAGE_LIMIT_MS), new Error(`It was done ${times} times, and is due again.`)),
      );
    return this.show(visit, { form: retry?.form, errors: retry?.errors });
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<never>> {
    const { session, request } = visit;
    const decision = form.find('decision') as ExtStepDecision | undefined;
    if (decision === 'decline' && (await this.contentOf(visit)).decline !== undefined) return { kind: 'declined' };
    if (decision !== 'continue' || !session) return again({ reason: 'formStale' });
    const turn = toTurn(visit, session);
    const texts = this.textsFor(visit);
    const result = await this.ask(SUBMIT_LIMIT_MS, async (step, signal) =>
      readResult(await step.submit(turn, toExtForm(form), texts, signal)),
    );
    if (result.kind === 'done') return learned(withExtStepTaken(request, this.step));
    return { kind: 'page', page: await this.show(visit, { form, problem: result }), status: REFUSED_FORM };
  }

  private async show(
    visit: Visit,
    { form, ...said }: Pick<ExtStepProps, 'problem' | 'errors'> & { readonly form?: Form | undefined },
  ): Promise<LoginPage> {
    const content = await this.contentOf(visit);
    const { displayName, loginName } = visit.session!;
    const { language } = this.textsFor(visit);
    return {
      page: 'extStep',
      form: visit.formTo(this.path),
      person: { displayName, loginName },
      content: form ? filledIn(content, form) : content,
      language: language === visit.setting.language ? undefined : language,
      ...said,
    };
  }

  private async contentOf(visit: Visit): Promise<StepPage> {
    const turn = toTurn(visit, visit.session!);
    const texts = this.textsFor(visit);
    return this.ask(PAGE_LIMIT_MS, async (step, signal) => readStepPage(await step.page(turn, texts, signal)));
  }

  private textsFor({ setting }: Visit): ExtTexts {
    const extension = this.loaded.extensions.find(({ id }) => id === this.filled.extension)!;
    return new ExtTexts(extension, setting.language);
  }

  /** @throws DomainError Unavailable `extension.step_unavailable` */
  private async ask<T>(limitMs: number, work: (step: ExtLoginStep, signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await this.calls.call(this.call(limitMs), work);
    } catch (error) {
      throw stepUnavailable(error);
    }
  }

  private call(limitMs: number): PartCall<ExtLoginStep> {
    return { seam: LOGIN_STEP, of: this.filled, limitMs };
  }
}

/** The values that the user has filled in, without the fields that are ours. */
function toExtForm(form: Form): StepForm {
  return { find: (name) => (RESERVED_NAMES.has(name) ? undefined : form.find(name)) };
}

function filledIn(content: StepPage, form: Form): StepPage {
  const inputs = new Set<unknown>(inputsOf(content.body).filter(({ kind }) => kind !== 'check'));
  return {
    ...content,
    body: content.body.map((part) =>
      'name' in part && inputs.has(part) && form.hasField(part.name)
        ? { ...part, value: form.find(part.name) ?? '' }
        : part,
    ),
  };
}

/** @throws Error for what is no result */
function readResult(given: unknown): StepResult {
  const { kind, text, field } = (given ?? {}) as Record<string, unknown>;
  if (kind === 'done') return { kind };
  const isProblem = typeof text === 'string' && text.trim() !== '' && text.length <= MAX_PROBLEM_CHARACTERS;
  if (kind === 'again' && isProblem && (field === undefined || typeof field === 'string'))
    return { kind, text, ...(field === undefined ? {} : { field }) };
  throw new Error('Its result is neither { kind: "done" } nor { kind: "again", text }.');
}
