import process from 'node:process'
import { boolean } from '@oclif/core/flags'
import { systemClock } from '../../../platform/clock.js'
import type { FlagDescription } from '../../../schema/flag-description.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { attributesOf, type Resource } from '../../../schema/resource.js'
import { collectGiven, completeWith, type GivenFlags } from '../command/collect-input.js'
import { PayctlCommand } from '../command/command.js'
import { type Choices, formatOf } from '../command/global-flags.js'
import { placeOf } from '../command/terminal-command.js'
import { registry } from '../declarations/declared-registry.js'
import { Interrupted, isEndOfPrompt, NotConfirmed, Refusal, UsageError } from '../failure/failure.js'
import { isObject } from '../input/body.js'
import { lacks } from '../input/lacking.js'
import { cleanText } from '../output/clean.js'
import { lookOf } from '../output/look.js'
import { homeOf } from '../profiles/settings.js'
import { endable } from '../prompts/ctrl-c.js'
import type { Prompts } from '../prompts/prompts.js'
import { confirmPlan, talk } from './plan-question.js'
import type { DraftPlace } from './wizard-draft.js'
import {
  AnsweredQuestions,
  type ChosenObject,
  type Wizard,
  type WizardPlan,
  type WizardQuestions,
} from './wizard-questions.js'

/** The flags of commands that prompt step by step. */
export const interactiveFlag = boolean({
  char: 'i',
  summary: 'prompt step by step, also for optional values, and confirm at the end',
})
export const resumeFlag = boolean({
  summary: 'continue with the draft of this command: its earlier answers without secrets, kept for a week',
})

/** Options for completing a request from partial input. */
export interface Guide {
  /** The resource that the request creates. */
  readonly resource: Resource
  readonly descriptions: readonly FlagDescription[]
  /**
   * Words of the command with which the operator can continue after an early end; by default the words of this command.
   */
  readonly words?: (body: JsonObject) => readonly string[]
  /** Whether the body lacks values besides the required attributes. */
  readonly lacks?: (body: JsonObject) => boolean
  readonly load: () => Promise<Wizard>
}

interface WizardChoices extends Choices {
  readonly interactive?: boolean
  readonly resume?: boolean
}

/** A request that is being completed. `before` is its saveable part before the first prompt, as JSON. */
interface Begun {
  readonly choices: WizardChoices
  readonly guide: Guide
  readonly body: JsonObject
  readonly place: DraftPlace
  readonly before: string
}

/**
 * Flags that are not copied to the command that continues. The answers contain their values, or that command sets them
 * itself.
 */
const ANSWERED = ['interactive', 'resume', 'data']

/** Base of commands that prompt for missing attributes step by step, show the plan, and ask for confirmation. */
export abstract class WizardCommand extends PayctlCommand {
  /** The confirmed answers, kept because the request may still be refused. */
  private answered: Begun | undefined
  /** Lines that say how to continue after an error. */
  private wayOn: readonly string[] = []
  /** Whether messages are for people: with JSON, an error is one object. */
  private isForPeople = true

  /**
   * Body of a request: data, overridden by flags. Missing attributes are prompted for on a terminal; otherwise throws
   * a `UsageError` that names them. Throws an `Interrupted` that says how to continue if the operator stops.
   */
  protected async complete(
    choices: WizardChoices,
    guide: Guide,
    given: GivenFlags,
    data: JsonObject,
  ): Promise<JsonObject> {
    const sources = this.sources(choices)
    const prompts = this.prompts(choices)
    const { interactive = false, resume = false } = choices
    if ((interactive || resume) && !prompts)
      throw new UsageError(`--${resume ? 'resume' : 'interactive'} needs a terminal`)
    const { descriptions, load } = guide
    this.descriptions = descriptions
    const known = resume ? await this.resumed(choices, data) : data
    const body = await collectGiven(descriptions, given, known, sources)
    const isMissing = descriptions.some((description) => lacks(body, description))
    if (!prompts || !(interactive || resume || isMissing || guide.lacks?.(body))) {
      await completeWith(sources, descriptions, body)
      return body
    }
    return await this.begin({ choices, guide, body }, async () => {
      const wizard = await load()
      const questions = this.questions(choices, guide, prompts)
      await this.confirmed(() => wizard(questions, body), choices, prompts)
    })
  }

  /** Answer of one prompt. Throws a `UsageError` with the text `otherwise` if there is no terminal. */
  protected async choice<T>(
    choices: Choices,
    choose: (questions: WizardQuestions) => Promise<T>,
    otherwise = 'Prompts need a terminal',
  ): Promise<T> {
    const prompts = this.prompts(choices)
    if (!prompts) throw new UsageError(otherwise)
    return await endable(() => choose(this.questions(choices, { descriptions: [] }, prompts)), process)
  }

  /** Id of the object that the operator chooses from a list and confirms. Throws a `UsageError` without a terminal. */
  protected async chosen(
    choices: Choices,
    choose: (questions: WizardQuestions) => Promise<ChosenObject>,
    otherwise: string,
  ): Promise<string> {
    const prompts = this.prompts(choices)
    if (!prompts) throw new UsageError(otherwise)
    const questions = this.questions(choices, { descriptions: [] }, prompts)
    for (;;) {
      const { id, plan } = await endable(() => choose(questions), process)
      if ((await confirmPlan(plan, choices, prompts)) === 'confirmed') return id
    }
  }

  /**
   * Runs a wizard until its plan is confirmed. It prompts again only for answers that the operator wants to
   * change.
   */
  private async confirmed(
    plan: () => Promise<WizardPlan>,
    choices: Choices,
    prompts: Prompts,
  ): Promise<void> {
    let state: 'confirmed' | 'changed' = 'changed'
    while (state === 'changed') state = await confirmPlan(await endable(plan, process), choices, prompts)
  }

  /** Prints how to continue after a refusal, so that no answer has to be typed again. */
  protected override async catch(error: Error): Promise<void> {
    await super.catch(error)
    const isUndone =
      error instanceof Refusal ||
      error instanceof NotConfirmed ||
      error instanceof UsageError ||
      isEndOfPrompt(error)
    if (this.answered && isUndone) this.wayOn = await this.keep(this.answered)
    if (!this.isForPeople) return
    for (const line of this.wayOn) talk(cleanText(line))
  }

  /** Prompts for missing attributes. If this ends early for any reason, the answers are saved. */
  private async begin(
    { choices, guide, body }: Pick<Begun, 'choices' | 'guide' | 'body'>,
    work: () => Promise<unknown>,
  ): Promise<JsonObject> {
    const { draftKeptAt, dropDraft, shownMoment } = await import('./wizard-draft.js')
    this.isForPeople = formatOf(choices) === 'table'
    const place = this.draftPlace(choices)
    const at = draftKeptAt(place, systemClock.now())
    if (at !== undefined && !choices.resume)
      talk(`There is a draft of ${shownMoment(at)}: --resume takes it up, and leaving this replaces it.`)
    const begun = { choices, guide, body, place, before: await textToKeep(guide, body) }
    try {
      await work()
    } catch (error) {
      const way = await this.keep(begun)
      if (!isEndOfPrompt(error) && !(error instanceof Interrupted)) {
        this.wayOn = way.length > 1 ? way : []
        throw error
      }
      const said = error instanceof Interrupted ? error.message : 'Interrupted; nothing was sent.'
      throw new Interrupted([said, ...way].join('\n'))
    }
    // The request is sent next and may succeed, so the draft is deleted; it is saved again if the request
    // is refused.
    if (!choices['dry-run']) dropDraft(place)
    this.answered = begun
    return body
  }

  /** Saves the answers in a draft. Returns two ways to continue: a command with the answers, and the draft. */
  private async keep({ choices, guide, body, place, before }: Begun): Promise<readonly string[]> {
    const { keepDraft } = await import('./wizard-draft.js')
    const text = await textToKeep(guide, body)
    const ways = [`Continue with: ${await this.again(guide, body)}`]
    if (!choices.resume && text === before) return ways
    try {
      keepDraft(place, text)
      return [...ways, `Or go on with all but secrets, kept for a week: ${await this.resuming(guide)}`]
    } catch (error) {
      return [
        ...ways,
        `The draft could not be kept: ${error instanceof Error ? error.message : String(error)}`,
      ]
    }
  }

  /** The draft, overridden by the given data. Throws a `UsageError` if there is no draft. */
  private async resumed(choices: WizardChoices, data: JsonObject): Promise<JsonObject> {
    const { draftAt, draftKeptAt, overDraft } = await import('./wizard-draft.js')
    const place = this.draftPlace(choices)
    const draft = draftKeptAt(place, systemClock.now()) === undefined ? undefined : draftAt(place)
    if (draft) return overDraft(draft, data)
    throw new UsageError(
      `There is no draft of payctl ${place.command} in ${choices.env}; it is kept for a week`,
    )
  }

  private draftPlace({ env }: Choices): DraftPlace {
    const command = (this.id ?? '').replaceAll(':', ' ')
    return { home: homeOf(process.env).value, command, environment: env, target: placeOf(this.settings()) }
  }

  private questions(
    choices: WizardChoices,
    { descriptions }: Pick<Guide, 'descriptions'>,
    prompts: Prompts,
  ): WizardQuestions {
    return {
      prompts,
      descriptions,
      isResumed: choices.resume ?? false,
      isWhole: choices.interactive ?? false,
      answered: new AnsweredQuestions(),
      look: lookOf(process.stderr, process.env),
      now: () => this.now(choices),
      say: talk,
      find: async (path, query) => {
        const { body } = await this.ask(choices, { method: 'GET', path, query })
        return Array.isArray(body.values) ? body.values.filter(isObject) : []
      },
    }
  }

  /** The command that continues: every typed flag and all answers, so that no input is lost. */
  private async again({ descriptions, words }: Guide, body: JsonObject): Promise<string> {
    const { continuation } = await import('../command/continuation.js')
    const own = words?.(body) ?? this.ownWords()
    const lists = words ? [] : Object.keys(body).filter((name) => isFilled(body[name]))
    const ask = this.ctor.flags.interactive ? ['--interactive'] : []
    return continuation([...own, ...(await this.typed(descriptions)), ...ask], descriptions, body, lists)
  }

  private async resuming({ descriptions }: Guide): Promise<string> {
    const { commandLine } = await import('../command/continuation.js')
    return commandLine([...this.ownWords(), ...(await this.typed(descriptions)), '--resume'])
  }

  private ownWords(): readonly string[] {
    return (this.id ?? '').split(':')
  }

  /** Typed flags that are not among the answers. */
  private async typed(descriptions: readonly FlagDescription[]): Promise<readonly string[]> {
    const { typedFlags } = await import('../command/continuation.js')
    const { flags, baseFlags } = this.ctor
    const answered = new Set([...ANSWERED, ...descriptions.map(({ name }) => name)])
    return typedFlags(this.argv, { ...baseFlags, ...flags }, answered)
  }
}

/** The part of a body that may be saved, as JSON. */
async function textToKeep({ resource }: Guide, body: JsonObject): Promise<string> {
  const { keepable } = await import('./keepable.js')
  return JSON.stringify(keepable(registry, attributesOf(resource), body))
}

function isFilled(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0
}
