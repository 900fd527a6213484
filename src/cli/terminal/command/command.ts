import process from 'node:process'
import type { ApiResponse } from '../../../engine/core/request/request.js'
import { systemClock } from '../../../platform/clock.js'
import { millisecondsOf } from '../../../schema/datetime.js'
import type { FlagDescription } from '../../../schema/flag-description.js'
import type { JsonObject } from '../../../schema/json.js'
import type { Resource } from '../../../schema/resource.js'
import type { Client, ClientRequest, QueryPair } from '../client/client.js'
import { EXIT } from '../failure/exit-codes.js'
import { Refusal, UsageError } from '../failure/failure.js'
import { Changes } from '../failure/unwritten-output.js'
import { isObject } from '../input/body.js'
import { fieldsQuery } from '../input/query-text.js'
import { secretFrom } from '../input/secret-sources.js'
import type { AnswerSchema } from '../input/shape.js'
import { handleFailedOutput } from '../output/failed-output.js'
import { NO_PROFILE, type Settings } from '../profiles/settings.js'
import { limitedClient } from '../profiles/spending-limit.js'
import { finish } from '../prompts/ctrl-c.js'
import { LOCAL } from '../remote/proxies.js'
import { type CollectSources, collectInput, type GivenFlags } from './collect-input.js'
import { confirmLive } from './confirm-live.js'
import { type Choices, formatOf } from './global-flags.js'
import { expectId } from './item-path.js'
import { DRY_RUN, TerminalCommand } from './terminal-command.js'
import type { AttributeFlag } from './typed-wording.js'
import { wayOn } from './way-on.js'

/** A request, and the shape of its answer. */
export interface Sending extends Omit<ClientRequest, 'dryRun' | 'idempotencyKey'> {
  readonly shape: AnswerSchema
}

/** Base of all commands that send requests. Most commands are a declaration and one call of `send`. */
export abstract class PayctlCommand extends TerminalCommand {
  /** Whether answers are printed as received. Nested lists that the service cut are then not completed. */
  protected readonly isRaw: boolean = false

  /**
   * Whether the name of the command says what its requests do; false for a command that sends any given
   * request.
   */
  protected readonly isNamed: boolean = true

  /**
   * Whether the command only examines databases of this machine, and does not create, migrate or seal them.
   */
  protected readonly examines: boolean = false

  /** The attributes for which the command has flags. */
  protected descriptions: readonly AttributeFlag[] = []
  private client: Promise<Client> | undefined

  private readonly changes = new Changes()

  /** Sends a request and prints the answer. Throws a `Refusal` if the answer is an error. */
  protected async send(choices: Choices, { shape, ...request }: Sending): Promise<ApiResponse> {
    const response = await this.ask(choices, withChoices(request, choices))
    if (request.method !== 'GET' && !this.isDry) this.warnOfLoopback(choices, response.body, shape)
    if (this.isRaw || response.headers['X-Truncated'] === undefined) {
      await this.print(choices, response.body, shape)
      return response
    }
    const [{ withRest }, { allOf }] = await Promise.all([
      import('../paging/rest-links.js'),
      import('../paging/pages.js'),
    ])
    const { body, missing } = await withRest((rest) => allOf((one) => this.ask(choices, one), rest), response)
    await this.print(choices, body, shape)
    this.sayCut(missing)
    return { ...response, body }
  }

  /** Warns if an answer contains an address for payers that only this machine reaches. */
  private warnOfLoopback(choices: Choices, body: JsonObject, { field }: AnswerSchema): void {
    const { url } = body
    if (field(['url'])?.kind !== 'address' || typeof url !== 'string' || !isLoopback(url)) return
    this.say(
      choices,
      'Warning: only this machine reaches the url; for others: payctl config set public-url https://… (or PAYCTL_PUBLIC_URL)',
    )
  }

  /** Prints the names of nested lists that are not shown completely. */
  protected sayCut(missing: readonly string[]): void {
    if (missing.length === 0) return
    process.stderr.write(`Not shown whole: ${missing.join(', ')}; show id as well, or one object alone\n`)
  }

  /** Sends a request without dry run, idempotency key and fields. Throws a `Refusal` if the answer is an error. */
  protected async ask(choices: Choices, given: ClientRequest): Promise<ApiResponse> {
    const request = await this.withWholeIds(choices, given)
    await this.confirm(choices, request)
    const answer = this.receive(choices, request)
    const response = request.method === 'GET' ? await answer : await this.finished(choices, answer)
    if (response.status === 200) {
      if (request.method !== 'GET') this.noteDone(choices, request, response)
      return response
    }
    const { typedWording } = await import('./typed-wording.js')
    const wording = typedWording(request, this.descriptions, { argv: this.argv, args: this.args })
    throw new Refusal(response, wording, request.dryRun === true, wayOn(request, response.body))
  }

  /** Marks dry runs. Records other changes, which are printed to stderr if stdout cannot be written. */
  private noteDone(choices: Choices, { method, path, dryRun }: ClientRequest, { body }: ApiResponse): void {
    this.hasWritten = true
    if (!dryRun) {
      if (this.changes.isEmpty) handleFailedOutput(this.argv, this.changes)
      this.changes.add(method, path, body)
    } else if (choices['dry-run'] && !this.isDry) {
      // On a terminal, the table itself shows that it was a dry run.
      if (!process.stdout.isTTY) this.say(choices, DRY_RUN)
      this.isDry = true
    }
  }

  /** A request in which complete ids replace shortened ids, which operators copy from lists. */
  private async withWholeIds(choices: Choices, request: ClientRequest): Promise<ClientRequest> {
    if (!/\u2026|%E2%80%A6|\.{3}/.test(JSON.stringify([request.path, request.query, request.body])))
      return request
    const { withWholeIds } = await import('./shown-id.js')
    return await withWholeIds((one) => this.ask(choices, one), request)
  }

  /**
   * The id of the object that an argument names by its id or by its `reference`, such as an e-mail address.
   * Throws a `UsageError` if it names several objects, and a `Refusal` if the service refuses the query.
   */
  protected async idOf(
    choices: Choices,
    { plural, prefix, reference, fields }: Pick<Resource, 'plural' | 'prefix' | 'reference' | 'fields'>,
    given: string,
  ): Promise<string> {
    expectId(plural, given)
    if (/\u2026|\.{3}/.test(given)) {
      const { wholeId } = await import('./shown-id.js')
      return (await wholeId((one) => this.ask(choices, one), `/${plural}`, given)) ?? given
    }
    if (reference === undefined || given.startsWith(prefix)) return given
    const isEmail = fields[reference]?.kind === 'email'
    if (!(isEmail ? /^[\w.+-]+@[\w.-]+$/ : /^[\w-]+$/).test(given)) return given
    const query: QueryPair[] = [
      [reference, isEmail ? given.toLowerCase() : given],
      ['fields', 'id'],
    ]
    const { body } = await this.ask(choices, { method: 'GET', path: `/${plural}`, query })
    const found = (Array.isArray(body.values) ? body.values : []).filter(isObject).map(({ id }) => String(id))
    if (found.length > 1)
      throw new UsageError(`${given} is the ${reference} of several ${plural}: ${found.join(', ')}`)
    return found[0] ?? given
  }

  /**
   * Asks for confirmation of a dangerous request in the live environment. Returns whether the request was confirmed.
   * `what` describes the request in words. Throws if the confirmation is missing or declined.
   */
  protected async confirm(choices: Choices, request: ClientRequest, what?: string): Promise<boolean> {
    const read = (path: string, query?: readonly QueryPair[]) => this.look(choices, path, query)
    return await confirmLive(request, choices, {
      prompts: this.prompts(choices),
      read,
      what,
      isNamed: this.isNamed,
    })
  }

  /**
   * Function that checks requests against the profile's spending limit without sending them; undefined
   * without a limit.
   */
  protected async spendingLimit(choices: Choices): Promise<Client['check']> {
    this.client ??= this.connect(choices)
    return (await this.client).check
  }

  /** Reads an object or list; undefined if it cannot be read. */
  private async look(
    choices: Choices,
    path: string,
    query?: readonly QueryPair[],
  ): Promise<JsonObject | undefined> {
    const { status, body } = await this.receive(choices, { method: 'GET', path, ...(query && { query }) })
    return status === 200 ? body : undefined
  }

  /** Waits for the outcome of a sent request, even after Ctrl-C, and prints it before the command ends. */
  private async finished(choices: Choices, answer: Promise<ApiResponse>): Promise<ApiResponse> {
    const say = (text: string) => this.say(choices, text)
    const { value, interrupted } = await finish(answer, process, say)
    if (!interrupted) return value
    say('Interrupted after it was sent; this is what was done:')
    process.exitCode = EXIT.interrupted
    return value
  }

  /**
   * The environment's time, in milliseconds since 1970. The clock of the test environment may have been moved. If the
   * key may not read the clock, the real time is returned.
   */
  protected async now(choices: Choices): Promise<number> {
    if (choices.env === 'live') return systemClock.now()
    const { status, body } = await this.receive(choices, { method: 'GET', path: '/admin/clock' })
    return status === 200 ? millisecondsOf(String(body.now)) : systemClock.now()
  }

  /**
   * Body of a request from flags and data; errors about the body name these flags. Throws a `UsageError` for missing
   * attributes.
   */
  protected async collect(
    choices: Choices,
    descriptions: readonly FlagDescription[],
    given: GivenFlags,
    data: JsonObject = {},
  ): Promise<JsonObject> {
    this.descriptions = descriptions
    return await collectInput(descriptions, given, data, this.sources(choices))
  }

  /** Sources of values that are not flags. */
  protected sources(choices: Choices): CollectSources {
    const { stdin } = this
    return {
      now: () => this.now(choices),
      environment: choices.env,
      stdin,
      variables: process.env,
      warn: (text) => this.say(choices, text),
      prompts: this.prompts(choices),
    }
  }

  /** Closes the client. A client that could not be opened cannot be closed; that error was reported already. */
  protected override async finally(thrown: Error | undefined): Promise<void> {
    try {
      const client = await this.client
      await client?.close()
    } catch (error) {
      if (error !== thrown) throw error
    }
  }

  /** An error after changes, such as that of a jq expression, is reported with the changes that were made. */
  protected override async catch(error: Error): Promise<void> {
    const isLate = error instanceof UsageError && !this.changes.isEmpty
    const done = this.changes.all().join(', ')
    await super.catch(
      isLate ? new UsageError(`${error.message}; this was done, do not repeat it: ${done}`) : error,
    )
  }

  private async receive(choices: Choices, request: ClientRequest): Promise<ApiResponse> {
    this.client ??= this.connect(choices)
    return await (await this.client).send(request)
  }

  private async connect(choices: Choices): Promise<Client> {
    const settings = this.settings()
    if (choices.env === 'live' && formatOf(choices) === 'table') this.announceLive()
    const client = await this.open(choices, settings)
    return limitedClient(client, {
      limit: settings.limit,
      profile: settings.profile?.value ?? NO_PROFILE,
      model: async () => (await import('../declarations/declared-model.js')).model,
    })
  }

  private async open(choices: Choices, settings: Settings): Promise<Client> {
    if (!settings.server) {
      const { localClient } = await import('../local/local-client.js')
      return await localClient(settings, { examines: this.examines })
    }
    const { openRemoteClient, remoteOf } = await import('../remote/remote-client.js')
    return await openRemoteClient({
      ...remoteOf(settings, process.env),
      say: (text) => this.say(choices, text),
    })
  }

  /** The settings of the command, and a function that reads objects of the service. */
  protected surroundings(choices: Choices) {
    return {
      settings: this.settings(),
      read: async (path: string, query: readonly QueryPair[]) =>
        (await this.ask(choices, { method: 'GET', path, query })).body,
    }
  }

  /**
   * A secret from a flag or its variable. The live environment refuses a secret typed on the command line, because `ps`
   * shows it.
   */
  protected async secretOf(
    choices: Choices,
    name: string,
    path: readonly string[],
    given: string,
  ): Promise<string> {
    const isRead = given === '-' || this.isTyped(name)
    return isRead ? await secretFrom({ name, path }, given, this.sources(choices)) : given
  }
}

/** Whether only this machine reaches an address. */
export function isLoopback(address: string): boolean {
  return URL.canParse(address) && LOCAL.test(new URL(address).hostname)
}

function withChoices(request: Omit<Sending, 'shape'>, choices: Choices): ClientRequest {
  const { 'dry-run': dryRun, 'idempotency-key': idempotencyKey } = choices
  return {
    ...request,
    query: [...(request.query ?? []), ...fieldsQuery(choices.fields ?? choices.columns)],
    ...(dryRun && { dryRun }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  }
}
