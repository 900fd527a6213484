import { string as argument } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { resources } from '../../../resources/resource-table.js'
import { answeredText, answeredTexts, objectIn } from '../../../schema/answer-values.js'
import { flagsOfPlain } from '../../../schema/flag-description.js'
import { amountIn, moneyWithCurrency } from '../../../schema/money.js'
import type { JsonObject } from '../../terminal/client/client.js'
import type { GivenFlags } from '../../terminal/command/collect-input.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { LIVE } from '../../terminal/command/confirm-live.js'
import { type Choices, formatOf, writeFlags } from '../../terminal/command/global-flags.js'
import { itemPath } from '../../terminal/command/item-path.js'
import { flagsFor } from '../../terminal/command/resource-flags.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { NotConfirmed, Refusal, UsageError } from '../../terminal/failure/failure.js'
import { hasDateWord, wherePair } from '../../terminal/input/query-text.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { allOf } from '../../terminal/paging/pages.js'

const { exception } = resources
const { resolve } = exception.actions
const shape = shapeOf(registry, exception)
/**
 * HTTP statuses of a refusal that concerns only one exception: the resolution is not allowed, or the exception is
 * resolved already.
 */
const GOES_ON: ReadonlySet<number> = new Set([400, 409])
const descriptions = flagsOfPlain(registry, resolve.input)

export class ExceptionsResolve extends PayctlCommand {
  static override summary = 'decide what becomes of an exception, or of all that match a filter'
  static override description =
    'exceptions show prints the books after each resolution. With --where, all open exceptions that match are ' +
    'resolved alike, after a prompt with their number and sum; --yes confirms it.'
  static override usage =
    'exceptions resolve [ID | --where <filter>] --as <resolution> --reason <text> [flags]'
  static override examples = [
    'payctl exceptions resolve exc_0V8c… --as cost --reason "fee of a dispute"',
    "payctl exceptions resolve --where kind=settlement_differs --where 'amount=<1' --as ignore --reason rounding --yes",
  ]
  static override args = { id: argument({ description: 'id of an exception' }) }
  static override flags = {
    where: string({
      char: 'w',
      multiple: true,
      summary: "all open ones that match, as in 'kind=settlement_differs'; several must all hold",
      helpValue: '<filter>',
    }),
    as: string({
      summary: 'the same as --resolution',
      helpValue: '<resolution>',
      options: [...resolve.input.resolution.values],
    }),
    ...flagsFor(descriptions),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ExceptionsResolve)
    const given: GivenFlags & { readonly resolution?: string } = flags
    const { as, where = [] } = flags
    if (as !== undefined && given.resolution !== undefined && given.resolution !== as)
      throw new UsageError('--as and --resolution say two things')
    if (where.some((filter) => /^status\b/.test(filter) && filter !== 'status=open'))
      throw new UsageError('--where is about open exceptions: leave the status out')
    if ((args.id === undefined) === (where.length === 0))
      throw new UsageError(
        'Say which: the id of an exception, or --where <filter> for all open ones that match',
      )
    const resolution = as ?? given.resolution
    const id = args.id === undefined ? undefined : await this.idOf(flags, exception, args.id)
    const chosen = id !== undefined && resolution === undefined ? await this.chosen(flags, id) : resolution
    const named = chosen === undefined ? given : { ...given, resolution: chosen }
    const body = await this.collect(flags, descriptions, named)
    if (id === undefined) return await this.resolveAll(flags, where, body)
    await this.send(flags, { method: 'POST', path: pathOf(id), body, shape })
  }

  /**
   * Prompts for one of an exception's resolutions, and shows how each would change the books. Undefined without a
   * terminal.
   */
  private async chosen(choices: Choices, id: string): Promise<string | undefined> {
    const prompts = this.prompts(choices)
    if (!prompts) return undefined
    const { body } = await this.ask(choices, { method: 'GET', path: itemPath(exception.plural, id) })
    const resolutions = answeredTexts(body, 'resolutions')
    if (body.status !== 'open' || resolutions.length === 0) return undefined
    for (const said of [body.happened, body.explanation])
      if (typeof said === 'string') this.say(choices, said)
    const books = objectIn(body, 'books')
    return await prompts.choose(
      'resolution',
      resolutions.map((value) => ({
        value,
        name: `${value.replaceAll('_', ' ')}: ${answeredText(books, value) ?? ''}`,
        short: value,
      })),
    )
  }

  /** Resolves every open exception that matches, each in a request of its own. */
  private async resolveAll(choices: Choices, where: readonly string[], body: JsonObject): Promise<void> {
    const found = await this.find(choices, where)
    const sum = found.reduce((all, { amount }) => all + (amountIn(amount) ?? 0), 0)
    const count = `${found.length} exception${found.length === 1 ? '' : 's'}`
    if (found.length === 0) {
      if (formatOf(choices) === 'table') return this.say(choices, 'No open exception matches.')
      return await this.print(choices, { object: 'list', values: [] }, shape)
    }
    const what = `${count} of ${moneyWithCurrency(sum)} together as ${String(body.resolution)}`
    const isAgreed = choices['dry-run'] || choices.yes ? false : await this.agree(choices, what)
    const confirmed = isAgreed ? { ...choices, confirm: LIVE } : choices
    const { done, refused } = await this.resolveEach(confirmed, found, body)
    await this.print(choices, { object: 'list', values: done }, shape)
    const verb = choices['dry-run'] ? 'Would resolve' : 'Resolved'
    if (!refused) return this.say(choices, `${verb} ${what}.`)
    this.say(choices, `${verb} ${done.length} of ${what}.`)
    throw refused
  }

  /**
   * Resolves exceptions one by one, and continues after a refusal, because another operator may have resolved that
   * exception.
   */
  private async resolveEach(choices: Choices, found: readonly JsonObject[], body: JsonObject) {
    const done: JsonObject[] = []
    let refused: Refusal | undefined
    for (const { id } of found) {
      const request = { method: 'POST', path: pathOf(String(id)), body } as const
      try {
        const dry = choices['dry-run'] && { dryRun: true }
        done.push((await this.ask(choices, { ...request, ...dry })).body)
      } catch (error) {
        if (!(error instanceof Refusal) || !GOES_ON.has(error.response.status)) throw error
        refused ??= error
      }
    }
    return { done, refused }
  }

  private async find(choices: Choices, where: readonly string[]): Promise<JsonObject[]> {
    const now = where.some(hasDateWord) ? await this.now(choices) : 0
    const query = [
      ...where.filter((text) => text !== 'status=open').map((text) => wherePair(text, shape, now)),
      ['status', 'open'],
      ['order_by', 'id'],
    ] as const
    const found: JsonObject[] = []
    const request = { method: 'GET', path: `/${exception.plural}`, query } as const
    for await (const { values } of allOf((one) => this.ask(choices, one), request)) found.push(...values)
    return found
  }

  /**
   * Prompts for confirmation. Throws a `UsageError` without a terminal, and `NotConfirmed` if the operator
   * declines.
   */
  private async agree(choices: Choices, what: string): Promise<true> {
    const prompts = this.prompts(choices)
    if (!prompts) throw new UsageError(`This resolves ${what}: add --yes, or look first with --dry-run`)
    if (!(await prompts.confirm(`Resolve ${what}?`, false)))
      throw new NotConfirmed('Not confirmed; nothing was sent.')
    return true
  }
}

function pathOf(id: string): string {
  return `${itemPath(exception.plural, id)}/resolve`
}
