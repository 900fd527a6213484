import process from 'node:process'
import { boolean } from '@oclif/core/flags'
import type { FlagDescription } from '../../../schema/flags.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { collectInput, type GivenFlags } from '../collect.js'
import { PayctlCommand } from '../command.js'
import { endable } from '../ctrl-c.js'
import { Interrupted, isEndOfPrompt, NotConfirmed, Refusal, UsageError } from '../failure/failure.js'
import { type Choices, formatOf } from '../global-flags.js'
import { has, isObject } from '../input/body.js'
import { paint } from '../output/colour.js'
import { lookOf } from '../output/look.js'
import type { Prompts } from '../prompts.js'
import type { ChosenObject, Wizard, WizardPlan, WizardQuestions } from './wizard-questions.js'

/** The flag of commands that have a wizard. */
export const interactiveFlag = boolean({
  char: 'i',
  summary: 'prompt step by step, also for what is not required, and confirm at the end',
})

/** How a request is completed when not everything was given. */
export interface Guide {
  readonly descriptions: readonly FlagDescription[]
  /** The words of the command to continue with; the command's own by default. */
  readonly words?: (body: JsonObject) => readonly string[]
  /** Whether something is missing besides required attributes. */
  readonly lacks?: (body: JsonObject) => boolean
  /** The wizard; without one, required attributes are prompted for one by one. */
  readonly load?: () => Promise<Wizard>
}

interface WizardChoices extends Choices {
  readonly interactive: boolean
}

/** Flags whose say is in the answers, or that the command to continue with has anyway. */
const ANSWERED = ['interactive', 'data']

/** A command that prompts step by step for what is missing, shows the plan, and asks for confirmation. */
export abstract class WizardCommand extends PayctlCommand {
  /** The command to continue with after a refusal, once prompts were answered. */
  private goOn: string | undefined

  /**
   * The body of a request: data, overridden by flags. What is missing is prompted for on a terminal; otherwise throws a
   * `UsageError` that names it. Throws an `Interrupted` that says how to continue when the operator ends it.
   */
  protected async complete(
    choices: WizardChoices,
    guide: Guide,
    given: GivenFlags,
    data: JsonObject,
  ): Promise<JsonObject> {
    const sources = this.sources(choices)
    const prompts = this.prompts(choices)
    const requested = choices.interactive
    if (requested && !prompts) throw new UsageError('--interactive needs a terminal')
    const { descriptions } = guide
    this.descriptions = descriptions
    const optional = descriptions.map((description) => ({ ...description, required: false }))
    const body = await collectInput(optional, given, data, sources)
    const isMissing = descriptions.some(({ required, path }) => required && !has(body, path))
    if (prompts && guide.load && (requested || isMissing || guide.lacks?.(body)))
      return await this.guided(choices, guide, guide.load, body, prompts)
    return await collectInput(descriptions, {}, body, sources)
  }

  /** The id of what the operator chooses from a list and confirms. Throws a `UsageError` without a terminal. */
  protected async chosen(
    choices: Choices,
    choose: (questions: WizardQuestions) => Promise<ChosenObject>,
  ): Promise<string> {
    const prompts = this.prompts(choices)
    if (!prompts) throw new UsageError('Missing PAYMENT: the id of the payment')
    const questions = this.questions(choices, { descriptions: [] }, prompts)
    const { id, plan } = await endable(() => choose(questions), process)
    await confirmPlan(plan, choices, prompts)
    return id
  }

  /** Says how to continue after a refusal, so that nothing has to be typed again. */
  protected override async catch(error: Error): Promise<void> {
    await super.catch(error)
    const isUndone = error instanceof Refusal || error instanceof NotConfirmed || isEndOfPrompt(error)
    if (isUndone && this.goOn !== undefined) talk(`Continue with: ${this.goOn}`)
  }

  private async guided(
    choices: WizardChoices,
    guide: Guide,
    load: () => Promise<Wizard>,
    body: JsonObject,
    prompts: Prompts,
  ): Promise<JsonObject> {
    try {
      const wizard = await load()
      const plan = await endable(() => wizard(this.questions(choices, guide, prompts), body), process)
      await confirmPlan(plan, choices, prompts)
      if (formatOf(choices) === 'table') this.goOn = await this.again(guide, body)
      return body
    } catch (error) {
      if (isEndOfPrompt(error) || error instanceof Interrupted)
        throw await this.interrupted(error, guide, body)
      throw error
    }
  }

  private questions(choices: Choices, { descriptions }: Guide, prompts: Prompts): WizardQuestions {
    return {
      prompts,
      descriptions,
      look: lookOf(process.stderr, process.env),
      now: () => this.now(choices),
      say: talk,
      find: async (path, query) => {
        const { body } = await this.ask(choices, { method: 'GET', path, query })
        return Array.isArray(body.values) ? body.values.filter(isObject) : []
      },
    }
  }

  /** The error that says how to continue: nothing was done, and nothing has to be typed again. */
  private async interrupted(error: unknown, guide: Guide, body: JsonObject): Promise<Interrupted> {
    const said = error instanceof Interrupted ? error.message : 'Interrupted; nothing was sent.'
    return new Interrupted(`${said}\nContinue with: ${await this.again(guide, body)}`)
  }

  /** Every flag as it was typed, and the answers: nothing that was said before may be lost. */
  private async again({ descriptions, words }: Guide, body: JsonObject) {
    const { continuation, typedFlags } = await import('../continuation.js')
    const own = words?.(body) ?? (this.id ?? '').split(':')
    const { flags, baseFlags } = this.ctor
    const answered = new Set([...ANSWERED, ...descriptions.map(({ name }) => name)])
    const typed = typedFlags(this.argv, { ...baseFlags, ...flags }, answered)
    const lists = words ? [] : Object.keys(body).filter((name) => isFilled(body[name]))
    return continuation([...own, ...typed], descriptions, body, lists)
  }
}

/** Shows a plan and asks for confirmation. Live money is confirmed when it is sent; a dry run needs no confirmation. */
async function confirmPlan(
  { facts, lines = [], question, moves }: WizardPlan,
  choices: Choices,
  prompts: Prompts,
): Promise<void> {
  const { colour } = lookOf(process.stderr, process.env)
  const known = facts.filter(([, text]) => text !== '')
  const longest = Math.max(0, ...known.map(([name]) => name.length))
  talk('')
  for (const [name, text] of known) talk(`  ${paint(name.padEnd(longest), 'dim', colour)}  ${text}`)
  for (const line of lines) talk(`  ${line}`)
  talk('')
  if (choices['dry-run'] || choices.yes || (moves && choices.env === 'live')) return
  if (!(await prompts.confirm(question, !moves))) throw new NotConfirmed('Not confirmed; nothing was sent.')
}

function isFilled(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0
}

/** Prints a line on stderr, beside the prompts, whatever the output format is. */
function talk(text: string): void {
  process.stderr.write(`${text}\n`)
}
